{% set keys = ['entry_no', 'companion', 'similarity'] %}
{% set similarities = {'exact_match': 'exact_match_v1', 'exact_match_spaced': 'exact_match_v2'} %}
{% set null_reasons = ['errata', 'not_generated'] %}

with edits as (
    select *
    from {{ ref('int_round_trip_judged') }}
),

edit_settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('edit') }}
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
    from edits
    inner join edit_settings on edits.setting_no = edit_settings.setting_no
),

{{ numbered_entries() }},

-- of every edit that a person commented on, the first sample made from those words
commented as (
    select
        numbered.entry_no,
        problems.problem_index,
        problems.set_aside,
        edits.generation_id,
        edits.exact_match_v1,
        edits.exact_match_v2,
    from numbered
    inner join problems on numbered.release_no = problems.release_no
    inner join comments on problems.problem_id = comments.problem_id
    left join edits
        on
            numbered.lm_no = edits.lm_no
            and numbered.setting_no = edits.setting_no
            and comments.variant_id = edits.variant_id
            and edits.program_index = 0
            and edits.parent_generation_id is null
),

problem_values as (
    {% for name, column in similarities.items() %}
    {% if not loop.first %}
    union all
    {% endif %}
    select
        entry_no,
        'nl_to_edit' as companion,
        '{{ name }}' as similarity,
        problem_index,
        case
            when set_aside is not null then set_aside
            when generation_id is null then 'not_generated'
        end as null_reason,
        if(set_aside is null, cast({{ column }} as double), null) as value,
    from commented
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

{{ mean_interval('problem_values', keys, ['value'], 'numbered') }},

-- a row for every entry: without a person's words there is nothing to make an edit from
companions as (
    {% for name in similarities %}
    {% if not loop.first %}
    union all
    {% endif %}
    select
        numbered.*,
        'nl_to_edit' as companion,
        '{{ name }}' as similarity,
    from numbered
    {% endfor %}
),

published as (
    select
        {{ listed(entry_columns(), 'companions') }}
        companions.companion,
        companions.similarity,
        means.value,
        interval_found.value_lo,
        interval_found.value_hi,
        case
            when means.n_total is null then 'not_applicable'
            when means.n_used > 0 then null
            when means.n_null_not_generated > 0 then 'not_generated'
            else 'errata'
        end as null_reason,
        companions.n_dataset,
        coalesce(means.n_total, 0) as n_total,
        coalesce(means.n_used, 0) as n_used,
        {% for reason in null_reasons %}
        coalesce(means.n_null_{{ reason }}, 0) as n_null_{{ reason }},
        {% endfor %}
        coalesce(means.n_used, 0) < {{ var('few_clusters') }} as few_clusters,
        if(interval_found.value_lo is null, null, 'cluster_bootstrap') as interval_method,
        cast(interval_found.value_replicates as bigint) as n_replicates,
        cast({{ var('bootstrap_seed') }} as bigint) as seed,
        'edit_companions_v1' as view_version,
    from companions
    left join means
        on
            companions.entry_no = means.entry_no
            and companions.companion = means.companion
            and companions.similarity = means.similarity
    left join interval_found
        on
            companions.entry_no = interval_found.entry_no
            and companions.companion = interval_found.companion
            and companions.similarity = interval_found.similarity
)

select * from published
