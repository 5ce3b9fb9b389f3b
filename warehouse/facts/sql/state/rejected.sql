-- One row per dataset and reason: problems whose reference fails, and the generations they hold.
with waiting as (
    select
        problem_id,
        count(*) as n_generations
    from facts.generation_executable
    where task in (select unnest(getvariable('tasks_run')))
    group by problem_id
)

select
    problem.dataset,
    coalesce(
        nullif(regexp_extract(rejected.reason, 'reference [a-z_]+|the tests pass|no output'), ''),
        left(rejected.reason, 60)
    ) as reason,
    count(*) as n_problems,
    cast(coalesce(sum(waiting.n_generations), 0) as bigint) as n_generations
from facts.problem_rejected as rejected
inner join raw.problem as problem on rejected.problem_id = problem.problem_id
left join waiting on rejected.problem_id = waiting.problem_id
group by all
order by all
