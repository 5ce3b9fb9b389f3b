with source_rows as (
    select
        gate_reject_id,
        gate_result_id,
        cast(row_number as integer) as row_number,
        row_json,
    from {{ source('raw', 'gate_reject') }}
)

select * from source_rows
