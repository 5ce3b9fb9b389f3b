-- Written by `make dbt` from models/; a test fails when it is stale.
select
    program_id,
    factor,
    verdict,
    n_tests,
    n_passed,
    cpu_s,
    test_cpu_s,
    wall_s,
    why_ended,
    run_id,
from {{ source('raw', 'limit_trial') }}
