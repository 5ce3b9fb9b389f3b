-- Written by `make dbt` from models/; a test fails when it is stale.
select
    program_id,
    attempt,
    verdict,
    n_tests,
    n_passed,
    cpu_s,
    wall_s,
    max_rss_kb,
    why_ended,
    message,
    isolation,
    integrity,
    run_id,
    test_cpu_s,
    alone,
from {{ source('raw', 'outcome') }}
