with source_rows as (
    select
        pair_id,
        mutant_id,
        problem_id,
        edition,
        original_variant_id,
        mutated_variant_id,
        decline_code,
        decline_reason,
        run_id,
    from {{ source('raw', 'mutation_pair') }}
)

select * from source_rows
