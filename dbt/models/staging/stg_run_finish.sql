-- Written by `make dbt` from models/; a test fails when it is stale.
select
    run_id,
    finished_at,
    status,
    summary,
from {{ source('raw', 'run_finish') }}
