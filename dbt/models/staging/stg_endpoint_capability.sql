-- Written by `make dbt` from models/; a test fails when it is stale.
select
    capability_id,
    endpoint_id,
    capability,
    supported,
    detail,
    run_id,
from {{ source('raw', 'endpoint_capability') }}
