-- Written by `make dbt` from models/; a test fails when it is stale.
select
    project_function_id,
    project_release_id,
    path,
    qualname,
    first_line,
    def_line,
    colon_line,
    docstring_first_line,
    docstring_last_line,
    body_first_line,
    last_line,
    body_is_apart,
    is_nested,
    is_async,
    run_id,
from {{ source('raw', 'project_function') }}
