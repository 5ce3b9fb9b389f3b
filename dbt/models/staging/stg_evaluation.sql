with source_rows as (
    select
        evaluation_id,
        generation_id,
        problem_id,
        candidate_id,
        program_id,
        run_id,
    from {{ source('raw', 'evaluation') }}
)

select * from source_rows
