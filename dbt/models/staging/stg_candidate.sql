-- Written by `make dbt` from models/; a test fails when it is stale.
select
    candidate_id,
    source,
    parses,
    n_characters,
    run_id,
from {{ source('raw', 'candidate') }}
