with source_rows as (
    select
        gate_result_id,
        run_id,
        table_name,
        expectation,
        column_name,
        cast(success as boolean) as success,
        cast(n_rows as integer) as n_rows,
        cast(n_unexpected as integer) as n_unexpected,
        checked_at,
    from {{ source('raw', 'gate_result') }}
)

select * from source_rows
