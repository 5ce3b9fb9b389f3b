-- Written by `make dbt` from models/; a test fails when it is stale.
select
    reading_id,
    generation_id,
    reader,
    value,
    rule,
    null_reason,
    run_id,
from {{ source('raw', 'reflection_reading') }}
