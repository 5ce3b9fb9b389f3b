with source_rows as (
    select
        release_id,
        dataset,
        version,
        source,
        license,
        sha256,
        cast(n_problems as integer) as n_problems,
        run_id,
    from {{ source('raw', 'dataset_release') }}
)

select * from source_rows
