-- One row per release of a dataset: how many of its problems were admitted and rejected.
with measured as (
    select distinct problem_id
    from raw.admission
)

select
    release.dataset,
    release.version,
    release.n_problems,
    count_if(measured.problem_id is not null and rejected.problem_id is null) as n_admitted,
    count(rejected.problem_id) as n_rejected
from raw.dataset_release as release
left join raw.problem as problem on release.release_id = problem.release_id
left join measured on problem.problem_id = measured.problem_id
left join facts.problem_rejected as rejected on problem.problem_id = rejected.problem_id
group by all
order by all
