-- Written by `make dbt` from models/; a test fails when it is stale.
select
    variant_id,
    problem_id,
    kind,
    parent_variant_id,
    prompt,
    seed,
    run_id,
from {{ source('raw', 'variant') }}
