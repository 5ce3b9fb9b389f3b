-- Written by `make dbt` from models/; a test fails when it is stale.
select
    project_file_id,
    project_release_id,
    path,
    lines,
    run_id,
from {{ source('raw', 'project_file') }}
