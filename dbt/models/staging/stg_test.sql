with source_rows as (
    select
        test_id,
        problem_id,
        cast(test_index as integer) as test_index,
        suite,
        kind,
        body,
        run_id,
    from {{ source('raw', 'test') }}
)

select * from source_rows
