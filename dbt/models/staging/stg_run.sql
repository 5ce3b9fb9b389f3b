-- Written by `make dbt` from models/; a test fails when it is stale.
select
    run_id,
    kind,
    started_at,
    code_version,
    git_commit,
    git_dirty,
    settings,
    inputs,
    host,
from {{ source('raw', 'run') }}
