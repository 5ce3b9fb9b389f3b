with source_rows as (
    select
        order_id,
        cast(n_rows as integer) as n_rows,
        cast(seed as integer) as seed,
        folds,
        library,
        run_id,
    from {{ source('raw', 'kfold_order') }}
)

select * from source_rows
