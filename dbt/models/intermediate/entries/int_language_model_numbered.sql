with language_models as (
    select *
    from {{ ref('stg_language_model') }}
),

sizes as (
    select *
    from {{ ref('lm_sizes') }}
),

numbered as (
    select
        row_number() over (order by language_models.lm_id) as lm_no,
        language_models.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        coalesce(language_models.n_parameters, sizes.n_parameters) as n_parameters,
    from language_models
    left join sizes on language_models.lm = sizes.lm
)

select * from numbered
