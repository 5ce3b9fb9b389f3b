with source_rows as (
    select
        reading_id,
        generation_id,
        reader,
        value,
        rule,
        null_reason,
        run_id,
    from {{ source('raw', 'reflection_reading') }}
)

select * from source_rows
