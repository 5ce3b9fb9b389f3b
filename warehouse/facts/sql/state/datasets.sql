-- One row per release of a dataset: how many of its problems were admitted and rejected.
select
    release.dataset,
    release.version,
    release.n_problems,
    count(distinct admission.problem_id) filter (where admission.mode <> 'rejected') as n_admitted,
    count(distinct admission.problem_id)
    - count(distinct admission.problem_id) filter (where admission.mode <> 'rejected') as n_rejected
from raw.dataset_release as release
left join raw.problem as problem on release.release_id = problem.release_id
left join raw.admission as admission on problem.problem_id = admission.problem_id
group by all
order by all
