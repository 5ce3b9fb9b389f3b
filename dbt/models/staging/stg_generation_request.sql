with source_rows as (
    select
        generation_id,
        template,
        template_key,
        prompt_key,
        endpoint_id,
        cast(n_attempts as integer) as n_attempts,
        run_id,
    from {{ source('raw', 'generation_request') }}
)

select * from source_rows
