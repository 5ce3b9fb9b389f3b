with source_rows as (
    select
        mutant_id,
        site_id,
        problem_id,
        mutation,
        mutation_version,
        seed,
        original_candidate_id,
        candidate_id,
        names,
        undo,
        run_id,
    from {{ source('raw', 'mutant') }}
)

select * from source_rows
