-- Written by `make dbt` from models/; a test fails when it is stale.
select
    generation_id,
    raw_text,
    kept_text,
    kept_rule,
    run_id,
from {{ source('raw', 'generation_text') }}
