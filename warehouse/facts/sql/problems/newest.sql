-- One row per problem of the newest release of a dataset.
select problem.problem_id
from raw.problem as problem
inner join facts.release_newest as newest on problem.release_id = newest.release_id
where newest.dataset = $dataset
