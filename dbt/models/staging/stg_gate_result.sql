-- Written by `make dbt` from models/; a test fails when it is stale.
select
    gate_result_id,
    run_id,
    table_name,
    expectation,
    column_name,
    success,
    n_rows,
    n_unexpected,
    checked_at,
from {{ source('raw', 'gate_result') }}
