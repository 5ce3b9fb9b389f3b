-- One row per problem that is named, dataset by dataset.
select
    problem.problem_id,
    problem.dataset,
    problem.task_id,
    problem.entry_point,
    problem.prompt,
    problem.reference,
    problem.suffix,
    problem.setup_code,
    problem.test_code,
    problem.compare,
    problem.atol,
    problem.tests_key,
    problem.difficulty,
    problem.tags,
    own_release.cpu_s,
    own_release.test_cpu_s,
    own_release.memory_mb,
    coalesce(own_release.trusted, true) as trusted
from raw.problem as problem
left join raw.own_release as own_release on problem.release_id = own_release.release_id
where problem.problem_id in (select unnest(cast($problem_ids as varchar[])))
order by problem.dataset, problem.position
