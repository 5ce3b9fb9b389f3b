{% set measures = ['ame', 'accuracy_drop', 'original_accuracy', 'mutated_accuracy'] %}
{% set edition = 1 %}

with entries as (
    select
        entry_no,
        {% for column in entry_columns() %}
        {{ column }},
        {% endfor %}
        n_parameters,
        n_dataset,
    from {{ ref('int_counterfactual_entry_numbered') }}
),

pairs as (
    select
        entry_no,
        mutation,
        mutation_version,
        problem_index,
        m,
        original,
        mutated,
        null_reason,
        original > 0 as is_kept,
        original > 0 or mutated > 0 as is_kept_either,
    from {{ ref('int_counterfactual_pair_scored') }}
    where edition = {{ edition }}
),

-- every pair counts the same, whatever its problem
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
        coalesce(sum(abs(mutated - original) order by original, mutated), 0) as either_top,
        count(*) filter (is_kept_either) as either_bottom,
        any_value(mutation_version) as mutation_version,
        max(m) filter (original is not null) as n_completions,
        min(m) filter (original is not null) as n_completions_min,
        count(*) as n_pairs,
        count(original) as n_used,
        {% for reason in pair_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
    from pairs
    group by entry_no, mutation, problem_index
),

means as (
    select
        entry_no,
        mutation,
        any_value(mutation_version) as mutation_version,
        {% for measure in measures + ['either'] %}
        sum({{ measure }}_top order by problem_index) / nullif(sum({{ measure }}_bottom), 0)
            as {{ measure }},
        {% endfor %}
        max(n_completions) as n_completions,
        min(n_completions_min) as n_completions_min,
        count(*) filter (ame_bottom > 0) as n_problems,
        sum(n_pairs) as n_pairs,
        sum(n_used) as n_used,
        sum(ame_bottom) as n_kept,
        {% for reason in pair_null_reasons() %}
        sum(n_null_{{ reason }}) as n_null_{{ reason }},
        {% endfor %}
    from problem_values
    group by entry_no, mutation
),

{{ ratio_interval(
    'problem_values',
    ref('int_counterfactual_entry_numbered'),
    ['entry_no', 'mutation'],
    measures
) }},

published as (
    select
        {% for column in entry_columns() %}
        entries.{{ column }},
        {% endfor %}
        entries.n_parameters,
        means.mutation,
        means.mutation_version,
        means.ame,
        interval_found.ame_lo,
        interval_found.ame_hi,
        if(means.ame is null, 'no_pairs', null) as null_reason,
        means.accuracy_drop,
        interval_found.accuracy_drop_lo,
        interval_found.accuracy_drop_hi,
        means.either as ame_either,
        means.original_accuracy,
        interval_found.original_accuracy_lo,
        interval_found.original_accuracy_hi,
        means.mutated_accuracy,
        interval_found.mutated_accuracy_lo,
        interval_found.mutated_accuracy_hi,
        means.n_completions,
        means.n_completions_min,
        entries.n_dataset,
        means.n_problems,
        cast(means.n_pairs as bigint) as n_pairs,
        cast(means.n_used as bigint) as n_used,
        cast(means.n_kept as bigint) as n_kept,
        {% for reason in pair_null_reasons() %}
        cast(means.n_null_{{ reason }} as bigint) as n_null_{{ reason }},
        {% endfor %}
        means.n_problems < {{ var('few_clusters') }} as few_clusters,
        if(interval_found.ame_lo is null, null, 'cluster_bootstrap') as interval_method,
        interval_found.ame_replicates as n_replicates,
        cast({{ var('bootstrap_seed') }} as bigint) as seed,
        'ame_v1' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.mutation = interval_found.mutation
    inner join entries on means.entry_no = entries.entry_no
)

select * from published
