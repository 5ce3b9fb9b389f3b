-- Written by `make dbt` from models/; a test fails when it is stale.
select
    test_id,
    problem_id,
    test_index,
    suite,
    kind,
    body,
    run_id,
from {{ source('raw', 'test') }}
