with source_rows as (
    select
        run_id,
        finished_at,
        status,
        summary,
    from {{ source('raw', 'run_finish') }}
)

select * from source_rows
