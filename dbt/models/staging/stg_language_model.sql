with source_rows as (
    select
        lm_id,
        lm,
        revision,
        cast(simulated as boolean) as simulated,
        n_parameters,
        planted,
        run_id,
    from {{ source('raw', 'language_model') }}
)

select * from source_rows
