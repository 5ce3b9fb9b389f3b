{#- CTEs that end in `published`: the mean absolute difference over the pairs that count (is_kept),
    where every pair counts the same, whatever its problem. The CTE `pairs` has a row per entry,
    mutation and pair. With several completions a side, it also has their number m, and whether the
    pair counts by the other reading (is_kept_either). -#}
{% macro absolute_effect(view, reasons, several_completions) -%}
{% set measures = {
    'ame': 'share',
    'accuracy_drop': 'difference',
    'original_accuracy': 'share',
    'mutated_accuracy': 'share',
} %}
entries as (
    select *
    from {{ ref('int_counterfactual_entry_numbered') }}
),

problem_values as (
    select
        entry_no,
        mutation,
        problem_index,
        coalesce(sum(abs(mutated - original) order by original, mutated) filter (is_kept), 0)
            as ame_top,
        coalesce(sum(original - mutated order by original, mutated) filter (is_kept), 0)
            as accuracy_drop_top,
        coalesce(sum(original order by original), 0) as original_accuracy_top,
        coalesce(sum(mutated order by mutated), 0) as mutated_accuracy_top,
        count(*) filter (is_kept) as ame_bottom,
        count(*) filter (is_kept) as accuracy_drop_bottom,
        count(original) as original_accuracy_bottom,
        count(original) as mutated_accuracy_bottom,
        {% if several_completions %}
        coalesce(sum(abs(mutated - original) order by original, mutated), 0) as either_top,
        count(*) filter (is_kept_either) as either_bottom,
        max(m) filter (original is not null) as n_completions,
        min(m) filter (original is not null) as n_completions_min,
        {% endif %}
        any_value(mutation_version) as mutation_version,
        {{ pairs_counted(reasons) }}
    from pairs
    group by entry_no, mutation, problem_index
),

means as (
    select
        entry_no,
        mutation,
        any_value(mutation_version) as mutation_version,
        {% for measure in measures | list + (['either'] if several_completions else []) %}
        sum({{ measure }}_top order by problem_index) / nullif(sum({{ measure }}_bottom), 0)
            as {{ measure }},
        {% endfor %}
        {% if several_completions %}
        max(n_completions) as n_completions,
        min(n_completions_min) as n_completions_min,
        {% endif %}
        count(*) filter (ame_bottom > 0) as n_problems,
        cast(sum(ame_bottom) as bigint) as n_kept,
        {{ pairs_added(reasons) }}
    from problem_values
    group by entry_no, mutation
),

{{ ratio_interval('problem_values', ['entry_no', 'mutation'], measures) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        entries.n_parameters,
        means.mutation,
        means.mutation_version,
        {{ listed_with_intervals(measures, 'means', 'interval_found') }}
        case
            {% if 'not_applicable' in reasons %}
            when means.n_null_not_applicable > 0 then 'not_applicable'
            {% endif %}
            when means.ame is null then 'no_pairs'
        end as null_reason,
        {% if several_completions %}
        means.either as ame_either,
        means.n_completions,
        means.n_completions_min,
        {% endif %}
        means.n_kept,
        {{ pairs_published('ame', 'wilson_clustered', reasons) }}
        interval_found.accuracy_drop_interval_null_reason,
        '{{ view }}' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.mutation = interval_found.mutation
    inner join entries on means.entry_no = entries.entry_no
)
{%- endmacro %}

{#- How many pairs of a problem there are, and why some give no value, from scored pairs. -#}
{% macro pairs_counted(reasons) -%}
    count(*) as n_pairs,
    count(original) as n_used,
    {% for reason in reasons %}
    count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
    {% endfor %}
{%- endmacro %}

{#- These counts over all problems. -#}
{% macro pairs_added(reasons) -%}
    cast(sum(n_pairs) as bigint) as n_pairs,
    cast(sum(n_used) as bigint) as n_used,
    {% for reason in reasons %}
    cast(sum(n_null_{{ reason }}) as bigint) as n_null_{{ reason }},
    {% endfor %}
{%- endmacro %}

{#- The columns that close a row of effects: these counts, and how the interval of a measure was
    found. From the CTEs `entries`, `means` and `interval_found`. -#}
{% macro pairs_published(measure, method, reasons) -%}
    entries.n_dataset,
    means.n_problems,
    means.n_pairs,
    means.n_used,
    {% for reason in reasons %}
    means.n_null_{{ reason }},
    {% endfor %}
    means.n_problems < {{ var('few_clusters') }} as few_clusters,
    if(interval_found.{{ measure }}_lo is null, null, '{{ method }}') as interval_method,
    interval_found.{{ measure }}_interval_null_reason as interval_null_reason,
{%- endmacro %}
