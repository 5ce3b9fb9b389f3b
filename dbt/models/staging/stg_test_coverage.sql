-- Written by `make dbt` from models/; a test fails when it is stale.
select
    test_coverage_id,
    suite_run_id,
    test_index,
    path,
    lines,
    run_id,
from {{ source('raw', 'test_coverage') }}
