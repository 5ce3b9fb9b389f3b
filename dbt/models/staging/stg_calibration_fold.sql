-- Written by `make dbt` from models/; a test fails when it is stale.
select
    fold_id,
    split_key,
    problem_id,
    folds,
    library,
    run_id,
from {{ source('raw', 'calibration_fold') }}
