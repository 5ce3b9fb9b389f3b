with source_rows as (
    select
        candidate_id,
        source,
        cast(parses as boolean) as parses,
        cast(n_characters as integer) as n_characters,
        run_id,
    from {{ source('raw', 'candidate') }}
)

select * from source_rows
