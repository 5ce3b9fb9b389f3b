-- Written by `make dbt` from models/; a test fails when it is stale.
select
    fit_id,
    subject_key,
    input_key,
    rescaler,
    fold_seed,
    fold,
    slope,
    intercept,
    steps_x,
    steps_y,
    n_train,
    n_positive,
    flag,
    null_reason,
    library,
    run_id,
from {{ source('raw', 'calibration_fit') }}
