-- Written by `make dbt` from models/; a test fails when it is stale.
select
    release_id,
    cpu_s,
    test_cpu_s,
    memory_mb,
    requirements,
    trusted,
    run_id,
from {{ source('raw', 'own_release') }}
