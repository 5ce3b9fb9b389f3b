-- Written by `make dbt` from models/; a test fails when it is stale.
select
    scan_id,
    problem_id,
    mutation,
    mutation_version,
    in_paper,
    n_sites,
    n_declined,
    unreadable_code,
    run_id,
    rules,
from {{ source('raw', 'mutation_scan') }}
