-- Written by `make dbt` from models/; a test fails when it is stale.
select
    canary_id,
    run_id,
    problem_id,
    verdict,
    cpu_s,
    message,
from {{ source('raw', 'canary') }}
