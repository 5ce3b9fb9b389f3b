with source_rows as (
    select
        generation_id,
        raw_text,
        kept_text,
        kept_rule,
        run_id,
    from {{ source('raw', 'generation_text') }}
)

select * from source_rows
