with language_models as (
    select *
    from {{ ref('stg_language_model') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

sizes as (
    select *
    from {{ ref('lm_sizes') }}
),

-- in the order in which they came, so that those that come later leave the numbers of the others
numbered as (
    select
        row_number() over (
            order by runs.started_at asc, language_models.lm_id asc
        ) as lm_no,
        language_models.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        coalesce(language_models.n_parameters, sizes.n_parameters) as n_parameters,
    from language_models
    left join runs on language_models.run_id = runs.run_id
    left join sizes on language_models.lm = sizes.lm
)

select * from numbered
