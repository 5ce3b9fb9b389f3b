-- Written by `make dbt` from models/; a test fails when it is stale.
select
    generation_id,
    tokens,
    logprobs,
    kept,
    top_logprobs,
    cumulative_logprob,
    run_id,
    top_tokens,
from {{ source('raw', 'token_logprob') }}
