-- Written by `make dbt` from models/; a test fails when it is stale.
select
    claim_source_id,
    format,
    claimant,
    claimant_version,
    lm_id,
    lm,
    revision,
    dataset,
    label,
    run_id,
from {{ source('raw', 'claim_source') }}
