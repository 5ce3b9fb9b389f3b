-- Written by `make dbt` from models/; a test fails when it is stale.
select
    setting_id,
    task,
    style,
    prompt_kind,
    temperature,
    top_p,
    max_tokens,
    stop,
    seed,
    resampled,
    label,
    run_id,
from {{ source('raw', 'setting') }}
