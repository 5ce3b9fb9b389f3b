with source_rows as (
    select
        capability_id,
        endpoint_id,
        capability,
        supported,
        detail,
        run_id,
    from {{ source('raw', 'endpoint_capability') }}
)

select * from source_rows
