-- Written by `make dbt` from models/; a test fails when it is stale.
select
    issue_id,
    generation_id,
    lm_id,
    setting_id,
    problem_id,
    sample_index,
    code,
    detail,
    lost,
    run_id,
from {{ source('raw', 'generation_issue') }}
