-- Written by `make dbt` from models/; a test fails when it is stale.
select
    generation_id,
    template,
    template_key,
    prompt_key,
    endpoint_id,
    n_attempts,
    run_id,
from {{ source('raw', 'generation_request') }}
