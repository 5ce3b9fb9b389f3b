with source_rows as (
    select
        pair_id,
        candidate_a,
        candidate_b,
        measure,
        cast(n_shared as integer) as n_shared,
        cast(n_tokens_a as integer) as n_tokens_a,
        cast(n_tokens_b as integer) as n_tokens_b,
        run_id,
    from {{ source('raw', 'pair_similarity') }}
)

select * from source_rows
