-- Written by `make dbt` from models/; a test fails when it is stale.
select
    pair_score_id,
    scorer_id,
    candidate_a,
    candidate_b,
    value,
    null_reason,
    run_id,
from {{ source('raw', 'pair_score') }}
