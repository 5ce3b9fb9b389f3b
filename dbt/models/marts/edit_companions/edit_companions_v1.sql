{#- What is measured, and by which columns of the CTE `answers`. -#}
{% set companions = {
    'nl_to_edit': {'exact_match': 'exact_match_v1', 'exact_match_spaced': 'exact_match_v2'},
    'edit_to_nl': {'bleu': 'bleu'},
} %}
{% set keys = ['entry_no', 'companion', 'similarity'] %}
{% set null_reasons = ['errata', 'not_generated', 'not_measured', 'not_applicable'] %}

with edits as (
    select *
    from {{ ref('int_round_trip_judged') }}
),

descriptions as (
    select *
    from {{ ref('int_description_marked') }}
),

similarities as (
    select *
    from {{ ref('int_text_similarity_combined') }}
),

edit_settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('edit') }}
),

description_settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('edit_description') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

comments as (
    select *
    from {{ ref('stg_variant') }}
    where kind = 'comment'
),

entries as (
    select distinct
        edits.lm_no,
        edits.setting_no,
        edits.release_no,
        'nl_to_edit' as companion,
    from edits
    inner join edit_settings on edits.setting_no = edit_settings.setting_no
    union all
    select distinct
        descriptions.lm_no,
        descriptions.setting_no,
        descriptions.release_no,
        'edit_to_nl' as companion,
    from descriptions
    inner join description_settings
        on descriptions.setting_no = description_settings.setting_no
),

{{ numbered_entries() }},

-- the first sample of each edit: new code that was made from a person's words, and a description
answers as (
    select
        'nl_to_edit' as companion,
        edits.lm_no,
        edits.setting_no,
        edits.problem_no,
        edits.exact_match_v1,
        edits.exact_match_v2,
        cast(null as double) as bleu,
        cast(null as varchar) as null_reason,
    from edits
    inner join comments on edits.variant_id = comments.variant_id
    where
        edits.program_index = 0
        and edits.parent_generation_id is null
    union all
    select
        'edit_to_nl' as companion,
        descriptions.lm_no,
        descriptions.setting_no,
        descriptions.problem_no,
        null as exact_match_v1,
        null as exact_match_v2,
        similarities.bleu,
        {{ text_null_reason('bleu', 'bleu_intl_v1') }} as null_reason,
    from descriptions
    left join similarities on descriptions.generation_id = similarities.generation_id
    where descriptions.description_index = 0
),

-- every edit that a person commented on
commented as (
    select
        numbered.entry_no,
        numbered.companion,
        problems.problem_index,
        answers.exact_match_v1,
        answers.exact_match_v2,
        answers.bleu,
        case
            when problems.set_aside is not null then problems.set_aside
            when answers.companion is null then 'not_generated'
            else answers.null_reason
        end as null_reason,
    from numbered
    inner join problems on numbered.release_no = problems.release_no
    inner join comments on problems.problem_id = comments.problem_id
    left join answers
        on
            numbered.companion = answers.companion
            and numbered.lm_no = answers.lm_no
            and numbered.setting_no = answers.setting_no
            and problems.problem_no = answers.problem_no
),

problem_values as (
    {% for companion, similarities in companions.items() %}
    {% set is_last = loop.last %}
    {% for similarity, column in similarities.items() %}
    select
        entry_no,
        companion,
        '{{ similarity }}' as similarity,
        problem_index,
        null_reason,
        if(null_reason is null, cast({{ column }} as double), null) as value,
    from commented
    where companion = '{{ companion }}'
    {{ 'union all' if not (is_last and loop.last) }}
    {% endfor %}
    {% endfor %}
),

means as (
    select
        {{ listed(keys) }}
        avg(value order by problem_index) as value,
        count(*) as n_total,
        count(value) as n_used,
        {% for reason in null_reasons %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
    from problem_values
    group by {{ keys | join(', ') }}
),

{{ mean_interval('problem_values', keys, {'value': 'share'}) }},

-- a row for every entry: without a person's words there is nothing to compare with
wanted as (
    {% for companion, similarities in companions.items() %}
    {% set is_last = loop.last %}
    {% for similarity in similarities %}
    select
        *,
        '{{ similarity }}' as similarity,
    from numbered
    where companion = '{{ companion }}'
    {{ 'union all' if not (is_last and loop.last) }}
    {% endfor %}
    {% endfor %}
),

published as (
    select
        {{ listed(entry_columns(), 'wanted') }}
        wanted.companion,
        wanted.similarity,
        means.value,
        interval_found.value_lo,
        interval_found.value_hi,
        case
            when means.n_total is null then 'not_applicable'
            when means.n_used > 0 then null
            {% for reason in ['not_measured', 'not_generated', 'not_applicable'] %}
            when means.n_null_{{ reason }} > 0 then '{{ reason }}'
            {% endfor %}
            else 'errata'
        end as null_reason,
        wanted.n_dataset,
        coalesce(means.n_total, 0) as n_total,
        coalesce(means.n_used, 0) as n_used,
        {% for reason in null_reasons %}
        coalesce(means.n_null_{{ reason }}, 0) as n_null_{{ reason }},
        {% endfor %}
        coalesce(means.n_used, 0) < {{ var('few_clusters') }} as few_clusters,
        if(interval_found.value_lo is null, null, 'wilson_clustered') as interval_method,
        interval_found.value_interval_null_reason as interval_null_reason,
        'edit_companions_v1' as view_version,
    from wanted
    left join means
        on
            wanted.entry_no = means.entry_no
            and wanted.companion = means.companion
            and wanted.similarity = means.similarity
    left join interval_found
        on
            wanted.entry_no = interval_found.entry_no
            and wanted.companion = interval_found.companion
            and wanted.similarity = interval_found.similarity
)

select * from published
