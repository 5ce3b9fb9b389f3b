-- One row per problem of a real project by which answers to named tasks are judged, and that has no
-- admission under the rules.
with admitted as (
    select problem_id
    from facts.admissions_under($policy, $judge_version, $project_judge_version)
)

select distinct
    problem.problem_id,
    problem.dataset,
    problem.tests_key,
    project_problem.project_release_id
from facts.generation_target as target
inner join raw.problem as problem on target.problem_id = problem.problem_id
inner join raw.project_problem as project_problem
    on problem.problem_id = project_problem.problem_id
anti join admitted on problem.problem_id = admitted.problem_id
where
    target.judged_as is null
    and problem.compare = 'project'
    and ($dataset is null or problem.dataset = $dataset)
    and target.task in (select unnest(cast($tasks as varchar[])))
order by problem.dataset, problem.problem_id
