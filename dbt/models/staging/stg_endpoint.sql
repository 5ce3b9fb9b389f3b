-- Written by `make dbt` from models/; a test fails when it is stale.
select
    endpoint_id,
    base_url,
    api,
    served_lm,
    run_id,
from {{ source('raw', 'endpoint') }}
