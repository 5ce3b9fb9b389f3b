-- Written by `make dbt` from models/; a test fails when it is stale.
select
    order_id,
    n_rows,
    seed,
    folds,
    library,
    run_id,
from {{ source('raw', 'kfold_order') }}
