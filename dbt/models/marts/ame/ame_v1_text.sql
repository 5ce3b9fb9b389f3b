{% set measures = ['ame', 'accuracy_drop', 'original_accuracy', 'mutated_accuracy'] %}
{% set edition = 1 %}

with entries as (
    select
        entry_no,
        {% for column in entry_columns() %}
        {{ column }},
        {% endfor %}
        n_parameters,
        is_deterministic,
        n_dataset,
    from {{ ref('int_counterfactual_entry_numbered') }}
),

scored as (
    select *
    from {{ ref('int_counterfactual_pair_scored') }}
    where edition = {{ edition }}
),

-- the first completion stands for all there can be, but only where nothing is drawn at random
pairs as (
    select
        scored.entry_no,
        scored.mutation,
        scored.mutation_version,
        scored.problem_index,
        entries.is_deterministic,
        scored.first_null_reason as null_reason,
        if(entries.is_deterministic, cast(scored.original_first as double), null) as original,
        if(entries.is_deterministic, cast(scored.mutated_first as double), null) as mutated,
    from scored
    inner join entries on scored.entry_no = entries.entry_no
),

problem_values as (
    select
        entry_no,
        mutation,
        problem_index,
        any_value(mutation_version) as mutation_version,
        coalesce(sum(abs(mutated - original)), 0) as ame_top,
        coalesce(sum(original - mutated), 0) as accuracy_drop_top,
        coalesce(sum(original), 0) as original_accuracy_top,
        coalesce(sum(mutated), 0) as mutated_accuracy_top,
        count(*) filter (original + mutated > 0) as ame_bottom,
        count(*) filter (original + mutated > 0) as accuracy_drop_bottom,
        count(original) as original_accuracy_bottom,
        count(original) as mutated_accuracy_bottom,
        count(*) as n_pairs,
        count(original) as n_used,
        {% for reason in pair_null_reasons() %}
        count(*) filter (is_deterministic and null_reason = '{{ reason }}')
            as n_null_{{ reason }},
        {% endfor %}
        count(*) filter (not is_deterministic) as n_null_not_applicable,
    from pairs
    group by entry_no, mutation, problem_index
),

means as (
    select
        entry_no,
        mutation,
        any_value(mutation_version) as mutation_version,
        {% for measure in measures %}
        sum({{ measure }}_top) / nullif(sum({{ measure }}_bottom), 0) as {{ measure }},
        {% endfor %}
        count(*) filter (ame_bottom > 0) as n_problems,
        sum(n_pairs) as n_pairs,
        sum(n_used) as n_used,
        sum(ame_bottom) as n_kept,
        {% for reason in pair_null_reasons() %}
        sum(n_null_{{ reason }}) as n_null_{{ reason }},
        {% endfor %}
        sum(n_null_not_applicable) as n_null_not_applicable,
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
        case
            when not entries.is_deterministic then 'not_applicable'
            when means.ame is null then 'no_pairs'
        end as null_reason,
        means.accuracy_drop,
        interval_found.accuracy_drop_lo,
        interval_found.accuracy_drop_hi,
        means.original_accuracy,
        interval_found.original_accuracy_lo,
        interval_found.original_accuracy_hi,
        means.mutated_accuracy,
        interval_found.mutated_accuracy_lo,
        interval_found.mutated_accuracy_hi,
        entries.n_dataset,
        means.n_problems,
        cast(means.n_pairs as bigint) as n_pairs,
        cast(means.n_used as bigint) as n_used,
        cast(means.n_kept as bigint) as n_kept,
        {% for reason in pair_null_reasons() %}
        cast(means.n_null_{{ reason }} as bigint) as n_null_{{ reason }},
        {% endfor %}
        cast(means.n_null_not_applicable as bigint) as n_null_not_applicable,
        means.n_problems < {{ var('few_clusters') }} as few_clusters,
        if(interval_found.ame_lo is null, null, 'cluster_bootstrap') as interval_method,
        interval_found.ame_replicates as n_replicates,
        cast({{ var('bootstrap_seed') }} as bigint) as seed,
        'ame_v1_text' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.mutation = interval_found.mutation
    inner join entries on means.entry_no = entries.entry_no
)

select * from published
