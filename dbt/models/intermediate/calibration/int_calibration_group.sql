{#- A line that opens or closes a fenced block. -#}
{% set fence = "'(?m)^[ \\t]*(`{3,}|~{3,})'" %}

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

-- of the problem that the answer is judged against
entry_points as (
    select
        problems.problem_no,
        stored_problems.entry_point,
    from problems
    inner join {{ ref('stg_problem') }} as stored_problems
        on problems.problem_id = stored_problems.problem_id
),

chats as (
    select settings.setting_no
    from settings
    inner join asked on settings.setting_id = asked.setting_id
    where
        asked.style = 'solution'
        and asked.task in {{ tasks_of('whole_functions') }}
),

texts as (
    select
        labels.lm_no,
        labels.setting_no,
        labels.release_no,
        labels.notion,
        labels.problem_no,
        kept_texts.kept_rule,
        kept_texts.kept_text,
        chats.setting_no is not null as is_of_chat,
        entry_points.entry_point,
        tokens.tokens,
        tokens.kept,
        array_to_string(tokens.tokens, '') as all_text,
    from labels
    inner join entry_points on labels.problem_no = entry_points.problem_no
    left join chats on labels.setting_no = chats.setting_no
    left join {{ ref('stg_generation_text') }} as kept_texts
        on labels.generation_id = kept_texts.generation_id
    left join {{ ref('stg_token_logprob') }} as tokens
        on if(chats.setting_no is null, null, kept_texts.generation_id) = tokens.generation_id
),

-- what of a chat's answer is measured: of a sentence with code in it perhaps more than code. Few
-- answers have a sign of a fence: to look for one is fast, to read a text or sift tokens is not
answers as (
    select
        lm_no,
        setting_no,
        release_no,
        notion,
        problem_no,
        kept_rule,
        case
            when not is_of_chat then false
            when contains(kept_text, '```') or contains(kept_text, '~~~')
                then regexp_matches(kept_text, {{ fence }})
            else false
        end
        or case
            when contains(all_text, '`') or contains(all_text, '~')
                then regexp_matches(
                    array_to_string(list_where(tokens, kept), ''), {{ fence }}
                )
            else false
        end as has_fence,
        is_of_chat and contains(kept_text, 'def ' || entry_point || '(') as has_header,
    from texts
),

problem_labels as (
    select
        lm_no,
        setting_no,
        release_no,
        notion,
        problem_no,
        count(*) as n_samples,
        coalesce(bool_or(kept_rule != 'function_end_v1'), false) as is_kept_otherwise,
        coalesce(bool_or(has_fence), false) as has_fence,
        coalesce(bool_or(has_header), false) as has_header,
    from answers
    group by all
),

of_releases as (
    select
        problem_labels.lm_no,
        problem_labels.setting_no,
        problem_labels.notion,
        problem_labels.release_no,
        releases.release_id,
        releases.dataset,
        releases.dataset_version,
        [releases.release_no] as release_nos,
        max(problem_labels.n_samples) > 1 as has_several_samples,
        bool_or(problem_labels.is_kept_otherwise) as is_kept_otherwise,
        bool_or(problem_labels.has_fence) as has_fence,
        bool_or(problem_labels.has_header) as has_header,
    from problem_labels
    inner join releases on problem_labels.release_no = releases.release_no
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
        bool_or(has_fence) as has_fence,
        bool_or(has_header) as has_header,
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

-- of these the paper reads TRUE and FALSE as version 1 does
read_alike as (
    select distinct lower(lm) as lm
    from {{ ref('published_lm') }}
    where
        paper = 'calibration'
        and printed_lm = 'GPT-3.5'
),

numbered as (
    select
        cast(
            row_number() over (
                order by
                    label_groups.lm_no asc,
                    label_groups.release_no asc nulls last,
                    label_groups.release_id asc,
                    label_groups.setting_no asc,
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
        coalesce(asked.temperature != 0, true) as has_temperature,
        label_groups.has_several_samples,
        label_groups.is_kept_otherwise
        and asked.task in {{ tasks_of('whole_functions') }} as is_kept_otherwise,
        asked.style = 'solution' as is_chat,
        label_groups.has_fence,
        label_groups.has_header,
        read_alike.lm is not null as is_read_alike,
    from label_groups
    inner join language_models on label_groups.lm_no = language_models.lm_no
    inner join settings on label_groups.setting_no = settings.setting_no
    inner join asked on settings.setting_id = asked.setting_id
    left join read_alike on lower(language_models.lm) = read_alike.lm
)

select * from numbered
