-- Written by `make dbt` from models/; a test fails when it is stale.
select
    block_id,
    scorer_id,
    candidates,
    firsts,
    seconds,
    scores,
    null_reasons,
    run_id,
from {{ source('raw', 'pair_score_block') }}
