with source_rows as (
    select
        estimate_id,
        subject_key,
        input_key,
        rescaler,
        statistic,
        value,
        low,
        high,
        null_reason,
        cast(n_replicates as integer) as n_replicates,
        cast(n_dropped as integer) as n_dropped,
        cast(seed as integer) as seed,
        method,
        library,
        run_id,
    from {{ source('raw', 'estimate') }}
)

select * from source_rows
