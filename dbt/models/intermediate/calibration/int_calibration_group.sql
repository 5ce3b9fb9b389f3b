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

asked as (
    select *
    from {{ ref('stg_setting') }}
),

texts as (
    select
        generation_id,
        kept_rule,
    from {{ ref('stg_generation_text') }}
),

problem_labels as (
    select
        labels.lm_no,
        labels.setting_no,
        labels.release_id,
        labels.notion,
        labels.problem_no,
        count(*) as n_samples,
        coalesce(bool_or(texts.kept_rule != 'function_end_v1'), false) as is_kept_otherwise,
    from labels
    left join texts on labels.generation_id = texts.generation_id
    group by all
),

label_groups as (
    select
        lm_no,
        setting_no,
        release_id,
        notion,
        max(n_samples) > 1 as has_several_samples,
        bool_or(is_kept_otherwise) as is_kept_otherwise,
    from problem_labels
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
        nullif(
            concat_ws(
                ', ',
                if(asked.temperature = 0, null, 'temperature'),
                if(label_groups.has_several_samples, 'samples', null),
                if(
                    label_groups.is_kept_otherwise
                    and asked.task in {{ tasks_of('whole_functions') }},
                    'kept_rule',
                    null
                ),
                if(asked.style = 'solution', 'chat', null)
            ),
            ''
        ) as paper_departures,
    from label_groups
    inner join language_models on label_groups.lm_no = language_models.lm_no
    inner join settings on label_groups.setting_no = settings.setting_no
    inner join releases on label_groups.release_id = releases.release_id
    inner join asked on settings.setting_id = asked.setting_id
)

select * from numbered
