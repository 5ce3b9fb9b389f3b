-- Written by `make dbt` from models/; a test fails when it is stale.
select
    dataset_environment_id,
    release_id,
    environment_id,
    missing,
    run_id,
from {{ source('raw', 'dataset_environment') }}
