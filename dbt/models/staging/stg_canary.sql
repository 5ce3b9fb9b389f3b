with source_rows as (
    select
        canary_id,
        run_id,
        problem_id,
        verdict,
        cast(cpu_s as double) as cpu_s,
        message,
    from {{ source('raw', 'canary') }}
)

select * from source_rows
