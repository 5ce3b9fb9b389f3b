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

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

releases as (
    select distinct
        release_no,
        release_id,
        dataset,
        dataset_version,
    from problems
),

{{ releases_of_projects() }},

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

of_releases as (
    select
        problem_labels.lm_no,
        problem_labels.setting_no,
        problem_labels.notion,
        problem_labels.release_id,
        releases.release_no,
        releases.dataset,
        releases.dataset_version,
        [releases.release_no] as release_nos,
        max(problem_labels.n_samples) > 1 as has_several_samples,
        bool_or(problem_labels.is_kept_otherwise) as is_kept_otherwise,
    from problem_labels
    inner join releases on problem_labels.release_id = releases.release_id
    group by all
),

-- of each project, the newest release
project_lines as (
    select of_releases.*
    from of_releases
    inner join settings on of_releases.setting_no = settings.setting_no
    inner join asked on settings.setting_id = asked.setting_id
    inner join releases_of_projects
        on of_releases.release_no = releases_of_projects.release_no
    where asked.task in {{ tasks_of('line_completion') }}
    qualify row_number() over (
        partition by
            of_releases.lm_no, of_releases.setting_no, of_releases.notion, of_releases.dataset
        order by of_releases.release_no desc
    ) = 1
),

-- the lines of several projects are one sample, as in the paper; its identity is that of its parts
over_projects as (
    select
        lm_no,
        setting_no,
        notion,
        left(
            sha256(concat_ws(chr(31), '*-lines', string_agg(release_id, chr(31) order by dataset))),
            32
        ) as release_id,
        cast(null as bigint) as release_no,
        '*-lines' as dataset,
        count(*) || ' datasets' as dataset_version,
        list(release_no order by dataset) as release_nos,
        bool_or(has_several_samples) as has_several_samples,
        bool_or(is_kept_otherwise) as is_kept_otherwise,
    from project_lines
    group by all
    having count(*) > 1
),

label_groups as (
    select *
    from of_releases
    union all by name
    select *
    from over_projects
),

numbered as (
    select
        cast(
            row_number() over (
                order by
                    language_models.lm_id asc,
                    label_groups.release_no asc nulls last,
                    label_groups.release_id asc,
                    settings.setting_id asc,
                    label_groups.notion asc
            ) as integer
        ) as group_no,
        cast(label_groups.lm_no as integer) as lm_no,
        cast(label_groups.setting_no as integer) as setting_no,
        cast(label_groups.release_no as integer) as release_no,
        label_groups.release_nos,
        language_models.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        label_groups.dataset,
        label_groups.dataset_version,
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
    inner join asked on settings.setting_id = asked.setting_id
)

select * from numbered
