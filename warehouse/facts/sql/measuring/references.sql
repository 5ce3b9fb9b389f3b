-- One row per release that holds a problem of the registered table pairs: its reference programs,
-- in order.
with asked as (
    select distinct unnest(release_ids) as release_id
    from pairs
)

select
    dataset_release.release_id,
    dataset_release.dataset,
    dataset_release.version,
    list(
        problem.prompt || problem.reference || problem.suffix
        order by problem.position
    ) as sources
from raw.dataset_release as dataset_release
inner join raw.problem as problem on dataset_release.release_id = problem.release_id
semi join asked on dataset_release.release_id = asked.release_id
where problem.reference != ''
group by dataset_release.release_id, dataset_release.dataset, dataset_release.version
order by dataset_release.release_id
