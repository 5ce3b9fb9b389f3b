-- One row per dataset that has generations.
select distinct problem.dataset
from raw.generation as generation
inner join raw.problem as problem on generation.problem_id = problem.problem_id
order by problem.dataset
