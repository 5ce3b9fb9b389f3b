with source_rows as (
    select
        fold_id,
        split_key,
        problem_id,
        folds,
        library,
        run_id,
    from {{ source('raw', 'calibration_fold') }}
)

select * from source_rows
