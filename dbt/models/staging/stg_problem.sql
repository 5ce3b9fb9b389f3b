with source_rows as (
    select
        problem_id,
        release_id,
        dataset,
        task_id,
        cast(position as integer) as problem_position,
        entry_point,
        prompt,
        reference,
        suffix,
        setup_code,
        test_code,
        compare,
        cast(atol as double) as atol,
        difficulty,
        tags,
        tests_key,
        run_id,
    from {{ source('raw', 'problem') }}
)

select * from source_rows
