with source_rows as (
    select
        variant_id,
        problem_id,
        kind,
        parent_variant_id,
        prompt,
        cast(seed as integer) as seed,
        run_id,
    from {{ source('raw', 'variant') }}
)

select * from source_rows
