-- Written by `make dbt` from models/; a test fails when it is stale.
select
    problem_id,
    project_release_id,
    path,
    first_line,
    last_line,
    run_id,
from {{ source('raw', 'project_problem') }}
