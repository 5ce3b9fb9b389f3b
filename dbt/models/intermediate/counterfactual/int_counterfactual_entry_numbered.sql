with samples as (
    select distinct
        lm_no,
        setting_no,
        release_no,
    from {{ ref('int_counterfactual_judged') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

temperatures as (
    select *
    from {{ ref('stg_setting') }}
),

releases as (
    select distinct
        release_no,
        release_id,
        dataset,
        dataset_version,
        n_dataset,
    from problems
),

-- of several releases of one dataset, the newest that the language model was asked about
entries_newest as (
    select
        samples.lm_no,
        samples.setting_no,
        samples.release_no,
        releases.release_id,
        releases.dataset,
        releases.dataset_version,
        releases.n_dataset,
    from samples
    inner join releases on samples.release_no = releases.release_no
    qualify row_number() over (
        partition by samples.lm_no, samples.setting_no, releases.dataset
        order by samples.release_no desc
    ) = 1
),

numbered as (
    select
        cast(
            row_number() over (
                order by language_models.lm_id, entries_newest.dataset, settings.setting_id
            ) as integer
        ) as entry_no,
        entries_newest.lm_no,
        entries_newest.setting_no,
        entries_newest.release_no,
        language_models.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        language_models.n_parameters,
        entries_newest.dataset,
        entries_newest.dataset_version,
        entries_newest.release_id,
        entries_newest.n_dataset,
        settings.setting_id,
        settings.setting,
        temperatures.temperature,
        coalesce(temperatures.temperature = 0, false) as is_deterministic,
    from entries_newest
    inner join language_models on entries_newest.lm_no = language_models.lm_no
    inner join settings on entries_newest.setting_no = settings.setting_no
    inner join temperatures on settings.setting_id = temperatures.setting_id
)

select * from numbered
