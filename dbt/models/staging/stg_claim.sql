-- Written by `make dbt` from models/; a test fails when it is stale.
select
    claim_id,
    claim_source_id,
    claim_file_id,
    position,
    place,
    task_id,
    sample_index,
    metric,
    passed,
    confidence,
    score,
    status,
    text_key,
    run_id,
from {{ source('raw', 'claim') }}
