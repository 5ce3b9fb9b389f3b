-- Written by `make dbt` from models/; a test fails when it is stale.
select
    region_check_id,
    project_release_id,
    tests_key,
    path,
    first_line,
    last_line,
    filling,
    repetition,
    verdict,
    run_id,
from {{ source('raw', 'region_check') }}
