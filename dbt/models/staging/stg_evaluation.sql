-- Written by `make dbt` from models/; a test fails when it is stale.
select
    evaluation_id,
    generation_id,
    problem_id,
    candidate_id,
    program_id,
    run_id,
from {{ source('raw', 'evaluation') }}
