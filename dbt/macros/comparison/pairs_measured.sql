{#- Compares the two entries of each pair on the problems that both have. The view `comparison_v1`
    and the table macro `compared_v1` share this formula.

    These CTEs end in `measured_pairs`: one row per pair, metric and k for which each entry has a
    value. They read `pairs` (pair_no, entry_a, entry_b), `entries` (entry_no, n_dataset) and
    `problem_values`. `signs` names a relation with the random signs of `signs_drawn`.

    Values are kept in lists, with a place for each problem of the release. Lists take a tenth of
    the time that rows take. -#}
{% macro pairs_measured(signs) -%}
{% set lists = {
    'value': 'values', 'sampling_variance': 'sampling_variances', 'n_samples': 'samples',
} %}
{% set comparison_columns = [
    'comparison_no', 'entry_a', 'entry_b', 'metric', 'k', 'n_dataset', 'vector_a', 'vector_b',
] %}
{% set cells = {
    'n_only_a': (1, 0), 'n_only_b': (0, 1), 'n_both': (1, 1), 'n_neither': (0, 0),
} %}
-- each entry, metric and k has one number, by which its lists are joined. A join by the three would
-- first copy the lists of all entries
entry_metrics as (
    select
        row_number() over (
            order by problem_values.entry_no, problem_values.metric, problem_values.k
        ) as vector_no,
        problem_values.entry_no,
        problem_values.metric,
        problem_values.k,
        entries.n_dataset,
    from problem_values
    inner join entries on problem_values.entry_no = entries.entry_no
    where problem_values.value is not null
    group by
        problem_values.entry_no, problem_values.metric, problem_values.k, entries.n_dataset
),

padded as (
    select
        entry_metrics.vector_no,
        problem_values.problem_index,
        {{ listed(lists, 'problem_values') }}
    from problem_values
    inner join entry_metrics
        on
            problem_values.entry_no = entry_metrics.entry_no
            and problem_values.metric = entry_metrics.metric
            and problem_values.k = entry_metrics.k
    where problem_values.value is not null
    union all by name
    select
        vector_no,
        unnest(range(1, n_dataset + 1)) as problem_index,
    from entry_metrics
),

places as (
    select
        vector_no,
        problem_index,
        {% for column in lists %}
        any_value({{ column }}) as {{ column }},
        {% endfor %}
    from padded
    group by vector_no, problem_index
),

entry_vectors as (
    select
        vector_no,
        {% for column, name in lists.items() %}
        list({{ column }} order by problem_index) as {{ name }},
        {% endfor %}
    from places
    group by vector_no
),

-- comparisons are numbered before lists are joined to them: sorting would copy the lists
comparisons as (
    select
        row_number() over (order by pairs.pair_no, a.metric, a.k) as comparison_no,
        pairs.entry_a,
        pairs.entry_b,
        a.metric,
        a.k,
        a.n_dataset,
        a.vector_no as vector_a,
        b.vector_no as vector_b,
    from pairs
    inner join entry_metrics as a on pairs.entry_a = a.entry_no
    inner join entry_metrics as b
        on
            pairs.entry_b = b.entry_no
            and a.metric = b.metric
            and a.k = b.k
),

side_by_side as (
    select
        comparisons.*,
        {% for name in lists.values() %}
        list_zip(a.{{ name }}, b.{{ name }}) as {{ name }},
        {% endfor %}
    from comparisons
    inner join entry_vectors as a on comparisons.vector_a = a.vector_no
    inner join entry_vectors as b on comparisons.vector_b = b.vector_no
),

-- a place is NULL where an entry has no value
compared as (
    select
        {{ listed(comparison_columns) }}
        len(list_filter(values, lambda each: each[1] is not null)) as n_a,
        len(list_filter(values, lambda each: each[2] is not null)) as n_b,
        list_transform(values, lambda each: if(each[2] is null, null, each[1])) as values_a,
        list_transform(values, lambda each: if(each[1] is null, null, each[2])) as values_b,
        list_transform(values, lambda each: each[1] - each[2]) as differences,
        list_transform(sampling_variances, lambda each: each[1] + each[2]) as variances,
        list_bool_and(list_transform(samples, lambda each: each[1] * each[2] = 1))
            as is_single_sample,
        {% for cell, (a, b) in cells.items() %}
        len(list_filter(values, lambda each: each[1] = {{ a }} and each[2] = {{ b }}))
            as {{ cell }},
        {% endfor %}
    from side_by_side
),

tallied as (
    select
        {{ listed(comparison_columns) }}
        differences,
        is_single_sample,
        list_count(differences) as n_common,
        n_a - list_count(differences) as n_dropped_a,
        n_b - list_count(differences) as n_dropped_b,
        len(list_filter(differences, lambda each: abs(each) > 1e-9)) as n_differing,
        list_avg(values_a) as value_a,
        list_avg(values_b) as value_b,
        list_avg(differences) as difference,
        list_median(differences) as median_difference,
        list_avg(variances) as var_sampling,
        list_count(variances) as n_variances,
        list_bool_and(list_transform(values_a, lambda each: each in (0, 1)))
        and list_bool_and(list_transform(values_b, lambda each: each in (0, 1))) as is_binary,
        {{ listed(cells) }}
    from compared
),

-- equal differences can differ by rounding: a spread below the ninth decimal counts as none
spreads as (
    select
        *,
        list_sum(list_transform(differences, lambda each: pow(each - difference, 2)))
        / nullif(n_common - 1, 0) as var_unrounded,
        len(list_filter(differences, lambda each: abs(each - median_difference) > 1e-9))
            as n_off_median,
    from tallied
),

varied as (
    select
        * exclude (var_unrounded),
        if(sqrt(var_unrounded) < 1e-9, 0.0, var_unrounded) as var_difference,
    from spreads
),

-- five CTEs read this: were it not materialized, DuckDB would make the lists above again for each
measured as materialized (
    select
        *,
        cast(n_common - 1 as integer) as df,
        sqrt(nullif(var_difference, 0)) / sqrt(n_common) as standard_error,
        case
            when n_common = 0 then 'no_common_problems'
            when n_common = 1 then 'one_problem'
        end as test_null_reason,
    from varied
),

-- of few differences all combinations of signs are counted; for many, signs are drawn at random
few_differences as (
    select
        comparison_no,
        unnest(differences) as difference,
    from measured
    where n_differing < {{ var('few_clusters') }}
),

{{ exact_signs('few_differences', ['comparison_no']) }},

comparisons_flipped as (
    select
        {{ listed(['comparison_no', 'n_dataset', 'vector_a', 'vector_b']) }}
        list_transform(differences, lambda each: coalesce(each, 0.0)) as differences,
        abs(list_sum(differences)) as observed,
        n_dropped_a = 0 and n_dropped_b = 0 as have_same_problems,
    from measured
    where n_differing >= {{ var('few_clusters') }}
),

{{ sign_flips_counted('comparisons_flipped', 'entry_vectors', signs) }},

t_values as (
    select
        comparison_no,
        difference / standard_error as t,
        (difference + {{ var('equivalence_margin') }}) / standard_error as t_above,
        (difference - {{ var('equivalence_margin') }}) / standard_error as t_below,
    from measured
),

p_values as (
    select
        measured.comparison_no,
        {% for t in ['t', 't_above', 't_below'] %}
        {{ student_t_p('t_values.' ~ t, 'measured.df') }} as {{ t }}_p,
        {% endfor %}
    from measured
    inner join t_values on measured.comparison_no = t_values.comparison_no
),

tested as (
    select
        measured.* exclude (differences),
        {{ t_quantile('measured.df') }} as t_quantile,
        case
            when measured.test_null_reason is not null then measured.test_null_reason
            when measured.n_differing = 0 then 'no_difference'
            when measured.var_difference = 0 then 'zero_variance'
            when measured.n_common < {{ var('least_clusters') }} then 'problems_lt_min'
            when measured.n_off_median < {{ var('least_differing') }} then 'differing_lt_min'
        end as interval_null_reason,
        case
            when measured.test_null_reason is not null then measured.test_null_reason
            when measured.metric not in {{ solved_metrics() }} then 'not_applicable'
            when not measured.is_single_sample then 'several_samples'
            when not measured.is_binary then 'not_binary'
        end as mcnemar_null_reason,
        if(
            measured.test_null_reason is null and measured.n_differing = 0, 1.0, p_values.t_p
        ) as t_p,
        {{ student_t_tail('t_values.t_above', 'p_values.t_above_p', '>') }} as tost_lower_p,
        {{ student_t_tail('t_values.t_below', 'p_values.t_below_p', '<') }} as tost_upper_p,
        if(measured.var_difference > 0, flips_counted.n_permutations, null) as n_permutations,
        case
            when measured.test_null_reason is not null then null
            when measured.n_differing = 0 then 1.0
            -- all differences are equal: only two of all combinations of signs reach so far
            when measured.var_difference = 0 then pow(2, 1 - measured.n_differing)
            else
                coalesce(
                    signs_enumerated.permutation_p,
                    (1 + flips_counted.n_hits) / (1 + flips_counted.n_permutations)
                )
        end as permutation_p,
        {{ mcnemar_p('measured.n_only_a', 'measured.n_only_b') }} as mcnemar_p,
    from measured
    inner join t_values on measured.comparison_no = t_values.comparison_no
    inner join p_values on measured.comparison_no = p_values.comparison_no
    left join signs_enumerated on measured.comparison_no = signs_enumerated.comparison_no
    left join flips_counted on measured.comparison_no = flips_counted.comparison_no
),

-- decision 23: the exact test where it applies, t where many problems differ, else permutation
tests_chosen as (
    select
        * replace (if(mcnemar_null_reason is null, mcnemar_p, null) as mcnemar_p),
        case
            when test_null_reason is not null then null
            when mcnemar_null_reason is null then 'mcnemar'
            when n_differing >= {{ var('few_clusters') }} and t_p is not null then 't'
            else 'permutation'
        end as test,
    from tested
),

p_chosen as (
    select
        *,
        case test
            when 'mcnemar' then mcnemar_p
            when 't' then t_p
            when 'permutation' then permutation_p
        end as p_value,
    from tests_chosen
),

measured_pairs as (
    select
        p_chosen.entry_a,
        p_chosen.entry_b,
        p_chosen.metric,
        p_chosen.k,
        p_chosen.n_common,
        p_chosen.n_dropped_a,
        p_chosen.n_dropped_b,
        p_chosen.n_differing,
        p_chosen.value_a,
        p_chosen.value_b,
        p_chosen.difference,
        if(
            p_chosen.interval_null_reason is null,
            p_chosen.difference - p_chosen.t_quantile * p_chosen.standard_error,
            null
        ) as difference_lo,
        if(
            p_chosen.interval_null_reason is null,
            p_chosen.difference + p_chosen.t_quantile * p_chosen.standard_error,
            null
        ) as difference_hi,
        p_chosen.standard_error,
        if(p_chosen.n_common = 0, 'no_common_problems', null) as null_reason,
        p_chosen.interval_null_reason,
        p_chosen.test,
        p_chosen.p_value,
        p_chosen.test_null_reason,
        p_chosen.t_p,
        p_chosen.permutation_p,
        p_chosen.n_permutations,
        if(p_chosen.n_permutations is null, null, cast({{ var('sign_seed') }} as bigint))
            as seed,
        {% for cell in cells %}
        if(p_chosen.mcnemar_null_reason is null, p_chosen.{{ cell }}, null) as {{ cell }},
        {% endfor %}
        p_chosen.mcnemar_p,
        p_chosen.mcnemar_null_reason,
        if(
            p_chosen.interval_null_reason is null,
            ({{ var('normal_quantile') }} + {{ var('power_quantile') }}) * p_chosen.standard_error,
            null
        ) as minimum_detectable_effect,
        cast({{ var('equivalence_margin') }} as double) as equivalence_margin,
        if(p_chosen.interval_null_reason is null, p_chosen.tost_lower_p, null) as tost_lower_p,
        if(p_chosen.interval_null_reason is null, p_chosen.tost_upper_p, null) as tost_upper_p,
        if(
            p_chosen.interval_null_reason is null,
            greatest(p_chosen.tost_lower_p, p_chosen.tost_upper_p) < {{ var('significance') }},
            null
        ) as equivalent,
        if(
            p_chosen.test_null_reason is null and p_chosen.n_variances = p_chosen.n_common,
            p_chosen.var_difference - p_chosen.var_sampling,
            null
        ) as var_problem,
        if(
            p_chosen.test_null_reason is null and p_chosen.n_variances = p_chosen.n_common,
            p_chosen.var_sampling,
            null
        ) as var_sampling,
        case
            when p_chosen.test_null_reason is not null then p_chosen.test_null_reason
            when not {{ is_made_of_samples('p_chosen.metric') }} then 'not_estimated'
            when p_chosen.n_variances < p_chosen.n_common then 'n_lt_2k'
        end as variance_null_reason,
    from p_chosen
)
{%- endmacro %}
