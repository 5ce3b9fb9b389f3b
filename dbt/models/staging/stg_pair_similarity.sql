-- Written by `make dbt` from models/; a test fails when it is stale.
select
    pair_id,
    candidate_a,
    candidate_b,
    measure,
    n_shared,
    n_tokens_a,
    n_tokens_b,
    run_id,
from {{ source('raw', 'pair_similarity') }}
