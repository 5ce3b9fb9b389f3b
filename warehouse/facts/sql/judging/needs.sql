-- One row per package that a problem needs, of all problems in the releases of the named ones.
with releases as (
    select distinct need.release_id
    from facts.problem_need as need
    where need.problem_id in (select unnest(cast($problem_ids as varchar[])))
)

select
    need.release_id,
    problem.dataset,
    need.problem_id,
    need.package
from facts.problem_need as need
inner join raw.problem as problem on need.problem_id = problem.problem_id
semi join releases on need.release_id = releases.release_id
order by problem.dataset, problem.position, need.package
