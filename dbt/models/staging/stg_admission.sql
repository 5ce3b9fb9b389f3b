-- Written by `make dbt` from models/; a test fails when it is stale.
select
    admission_id,
    problem_id,
    policy,
    mode,
    reason,
    reference_cpu_s,
    cpu_limit_s,
    wall_limit_s,
    memory_limit_mb,
    outputs,
    judge_version,
    run_id,
    test_cpu_limit_s,
    reference_test_cpu_s,
    environment_id,
from {{ source('raw', 'admission') }}
