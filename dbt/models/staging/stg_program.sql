with source_rows as (
    select
        program_id,
        candidate_id,
        problem_id,
        admission_id,
        run_id,
    from {{ source('raw', 'program') }}
)

select * from source_rows
