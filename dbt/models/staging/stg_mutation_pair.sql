-- Written by `make dbt` from models/; a test fails when it is stale.
select
    pair_id,
    mutant_id,
    problem_id,
    edition,
    original_variant_id,
    mutated_variant_id,
    decline_code,
    decline_reason,
    run_id,
from {{ source('raw', 'mutation_pair') }}
