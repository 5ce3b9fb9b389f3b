-- Written by `make dbt` from models/; a test fails when it is stale.
select
    lm_id,
    lm,
    revision,
    simulated,
    n_parameters,
    planted,
    run_id,
from {{ source('raw', 'language_model') }}
