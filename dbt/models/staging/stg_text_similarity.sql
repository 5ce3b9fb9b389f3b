-- Written by `make dbt` from models/; a test fails when it is stale.
select
    text_similarity_id,
    generation_id,
    measure,
    component,
    value,
    run_id,
from {{ source('raw', 'text_similarity') }}
