with source_rows as (
    select
        program_id,
        cast(attempt as integer) as attempt,
        cast(test_index as integer) as test_index,
        status,
        message,
        run_id,
    from {{ source('raw', 'test_outcome') }}
)

select * from source_rows
