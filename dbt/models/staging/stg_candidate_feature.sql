-- Written by `make dbt` from models/; a test fails when it is stale.
select
    feature_id,
    scorer_id,
    candidate_id,
    vector,
    digest,
    null_reason,
    run_id,
from {{ source('raw', 'candidate_feature') }}
