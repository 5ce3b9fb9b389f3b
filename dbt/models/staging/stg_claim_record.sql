-- Written by `make dbt` from models/; a test fails when it is stale.
select
    claim_id,
    record,
    run_id,
from {{ source('raw', 'claim_record') }}
