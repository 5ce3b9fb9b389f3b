with source_rows as (
    select
        fit_id,
        subject_key,
        input_key,
        rescaler,
        cast(fold_seed as integer) as fold_seed,
        cast(fold as integer) as fold,
        slope,
        intercept,
        steps_x,
        steps_y,
        cast(n_train as integer) as n_train,
        cast(n_positive as integer) as n_positive,
        flag,
        null_reason,
        library,
        run_id,
    from {{ source('raw', 'calibration_fit') }}
)

select * from source_rows
