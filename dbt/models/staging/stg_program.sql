-- Written by `make dbt` from models/; a test fails when it is stale.
select
    program_id,
    candidate_id,
    problem_id,
    admission_id,
    run_id,
from {{ source('raw', 'program') }}
