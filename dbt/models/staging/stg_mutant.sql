-- Written by `make dbt` from models/; a test fails when it is stale.
select
    mutant_id,
    site_id,
    problem_id,
    mutation,
    mutation_version,
    seed,
    original_candidate_id,
    candidate_id,
    names,
    undo,
    run_id,
from {{ source('raw', 'mutant') }}
