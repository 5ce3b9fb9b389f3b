-- Written by `make dbt` from models/; a test fails when it is stale.
select
    release_id,
    dataset,
    version,
    source,
    license,
    sha256,
    n_problems,
    run_id,
from {{ source('raw', 'dataset_release') }}
