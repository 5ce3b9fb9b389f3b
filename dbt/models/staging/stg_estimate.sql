-- Written by `make dbt` from models/; a test fails when it is stale.
select
    estimate_id,
    subject_key,
    input_key,
    rescaler,
    statistic,
    value,
    low,
    high,
    null_reason,
    n_replicates,
    n_dropped,
    seed,
    method,
    library,
    run_id,
from {{ source('raw', 'estimate') }}
