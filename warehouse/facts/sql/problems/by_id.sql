-- One row per problem that is named, dataset by dataset.
select
    problem_id,
    dataset,
    task_id,
    entry_point,
    prompt,
    reference,
    suffix,
    setup_code,
    test_code,
    compare,
    atol,
    tests_key,
    difficulty,
    tags
from raw.problem
where problem_id in (select unnest(cast($problem_ids as varchar[])))
order by dataset, position
