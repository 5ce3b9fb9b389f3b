with source_rows as (
    select
        issue_id,
        generation_id,
        lm_id,
        setting_id,
        problem_id,
        cast(sample_index as integer) as sample_index,
        code,
        detail,
        lost,
        run_id,
    from {{ source('raw', 'generation_issue') }}
)

select * from source_rows
