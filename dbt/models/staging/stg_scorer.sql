-- Written by `make dbt` from models/; a test fails when it is stale.
select
    scorer_id,
    measure,
    name,
    release_id,
    identity,
    detail,
    run_id,
from {{ source('raw', 'scorer') }}
