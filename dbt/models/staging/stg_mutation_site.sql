-- Written by `make dbt` from models/; a test fails when it is stale.
select
    site_id,
    scan_id,
    problem_id,
    site_index,
    line,
    operators,
    decline_code,
    decline_reason,
    run_id,
from {{ source('raw', 'mutation_site') }}
