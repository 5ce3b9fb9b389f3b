{% set measures = {
    'accuracy_drop': 'difference',
    'original_accuracy': 'share',
    'mutated_accuracy': 'share',
} %}
{% set edition = 1 %}

with entries as (
    select *
    from {{ ref('int_counterfactual_entry_numbered') }}
),

scored as (
    select *
    from {{ ref('int_counterfactual_pair_scored') }}
    where
        edition = {{ edition }}
        and mutation = 'if_else_flip'
),

results as (
    select *
    from {{ ref('published_results') }}
    where
        paper = 'mutations'
        and operator is not null
),

-- a condition of one comparison is turned around by its operator alone
pairs as (
    select
        entry_no,
        problem_index,
        json_extract_string(operators, '$[0]') as operator,
        original,
        mutated,
        null_reason,
    from scored
    where json_array_length(operators) = 1
),

complements as (
    select
        unnest(['==', '!=', '>', '<=', '<', '>=', 'is', 'is not', 'in', 'not in']) as operator,
        unnest(['!=', '==', '<=', '>', '>=', '<', 'is not', 'is', 'not in', 'in']) as complement,
),

-- the paper prints how much more frequent the first of two complements is in training code
printed as (
    select
        complements.operator,
        complements.complement,
        coalesce(
            max(results.value) filter (
                results.statistic = 'frequency_ratio' and results.operator = complements.operator
            ),
            1 / max(results.value) filter (
                results.statistic = 'frequency_ratio' and results.operator = complements.complement
            )
        ) as published_frequency_ratio,
        max(results.value / 100) filter (
            results.statistic = 'accuracy_drop' and results.operator = complements.operator
        ) as published_accuracy_drop,
    from complements
    left join results
        on
            complements.operator = results.operator
            or complements.complement = results.operator
    group by all
),

problem_values as (
    select
        entry_no,
        operator,
        problem_index,
        coalesce(sum(original - mutated order by original, mutated), 0) as accuracy_drop_top,
        coalesce(sum(original order by original), 0) as original_accuracy_top,
        coalesce(sum(mutated order by mutated), 0) as mutated_accuracy_top,
        {% for measure in measures %}
        count(original) as {{ measure }}_bottom,
        {% endfor %}
        {{ pairs_counted(pair_null_reasons()) }}
    from pairs
    group by entry_no, operator, problem_index
),

means as (
    select
        entry_no,
        operator,
        {% for measure in measures %}
        sum({{ measure }}_top order by problem_index) / nullif(sum({{ measure }}_bottom), 0)
            as {{ measure }},
        {% endfor %}
        count(*) filter (accuracy_drop_bottom > 0) as n_problems,
        {{ pairs_added(pair_null_reasons()) }}
    from problem_values
    group by entry_no, operator
),

{{ ratio_interval('problem_values', ['entry_no', 'operator'], measures) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        entries.n_parameters,
        means.operator,
        printed.complement,
        {{ listed_with_intervals(measures, 'means', 'interval_found') }}
        if(means.accuracy_drop is null, 'no_pairs', null) as null_reason,
        printed.published_frequency_ratio,
        printed.published_accuracy_drop,
        {{ pairs_published('accuracy_drop', 'student_t', pair_null_reasons()) }}
        'operator_effect_v1' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.operator = interval_found.operator
    inner join entries on means.entry_no = entries.entry_no
    left join printed on means.operator = printed.operator
)

select * from published
