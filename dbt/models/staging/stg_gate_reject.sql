-- Written by `make dbt` from models/; a test fails when it is stale.
select
    gate_reject_id,
    gate_result_id,
    row_number,
    row_json,
from {{ source('raw', 'gate_reject') }}
