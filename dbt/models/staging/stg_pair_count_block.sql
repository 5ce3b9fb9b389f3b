-- Written by `make dbt` from models/; a test fails when it is stale.
select
    block_id,
    measure,
    candidates,
    n_tokens,
    firsts,
    seconds,
    n_shared,
    run_id,
from {{ source('raw', 'pair_count_block') }}
