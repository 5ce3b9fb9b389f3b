with source_rows as (
    select
        endpoint_id,
        base_url,
        api,
        served_lm,
        run_id,
    from {{ source('raw', 'endpoint') }}
)

select * from source_rows
