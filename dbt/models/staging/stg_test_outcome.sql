-- Written by `make dbt` from models/; a test fails when it is stale.
select
    program_id,
    attempt,
    test_index,
    status,
    message,
    run_id,
from {{ source('raw', 'test_outcome') }}
