-- Written by `make dbt` from models/; a test fails when it is stale.
select
    generation_id,
    lm_id,
    problem_id,
    variant_id,
    setting_id,
    sample_index,
    parent_generation_id,
    source,
    text_key,
    finish_reason,
    n_prompt_tokens,
    n_completion_tokens,
    latency_s,
    cost_usd,
    claimed_pass,
    run_id,
from {{ source('raw', 'generation') }}
