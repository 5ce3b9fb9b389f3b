with language_models as (
    select
        lm_id,
        lm,
        revision,
        simulated,
    from {{ ref('stg_language_model') }}
),

numbered as (
    select
        row_number() over (order by lm_id) as lm_no,
        lm_id,
        lm,
        revision,
        simulated,
    from language_models
)

select * from numbered
