with labels as (
    select *
    from {{ ref('int_generation_labelled') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

releases as (
    select distinct
        release_no,
        release_id,
        dataset,
        dataset_version,
    from {{ ref('int_problem_numbered') }}
),

label_groups as (
    select
        lm_no,
        setting_no,
        release_id,
        notion,
    from labels
    group by all
),

numbered as (
    select
        cast(
            row_number() over (
                order by
                    language_models.lm_id,
                    releases.release_no,
                    settings.setting_id,
                    label_groups.notion
            ) as integer
        ) as group_no,
        cast(label_groups.lm_no as integer) as lm_no,
        cast(label_groups.setting_no as integer) as setting_no,
        cast(releases.release_no as integer) as release_no,
        language_models.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        releases.dataset,
        releases.dataset_version,
        label_groups.release_id,
        settings.setting_id,
        settings.setting,
        settings.resampled,
        label_groups.notion,
    from label_groups
    inner join language_models on label_groups.lm_no = language_models.lm_no
    inner join settings on label_groups.setting_no = settings.setting_no
    inner join releases on label_groups.release_id = releases.release_id
)

select * from numbered
