{#- Of pairs of entries, what both are worth on their common problems: the one formula of `comparison_v1`
    and of the table macro `compared_v1`.

    CTEs that end in `measured_pairs`, one row per pair, metric and k of which each entry has a value.
    Before come `pairs` (pair_no, entry_a, entry_b), `entries` (entry_no, release_id, n_dataset) and
    `problem_values`; `signs` names a relation of random signs by release_id. -#}
{% macro pairs_measured(signs) -%}
{% set keys = ['pair_no', 'metric', 'k'] %}
sides as (
    {% for side in ['a', 'b'] %}
    {{ 'union all by name' if not loop.first }}
    select
        pairs.pair_no,
        problem_values.metric,
        problem_values.k,
        problem_values.problem_index,
        problem_values.value as value_{{ side }},
        problem_values.sampling_variance as sampling_variance_{{ side }},
        problem_values.n_samples as n_samples_{{ side }},
    from pairs
    inner join problem_values on pairs.entry_{{ side }} = problem_values.entry_no
    {% endfor %}
),

side_by_side as (
    select
        {{ listed(keys) }}
        problem_index,
        {% for column in ['value', 'sampling_variance', 'n_samples'] %}
        any_value({{ column }}_a) as {{ column }}_a,
        any_value({{ column }}_b) as {{ column }}_b,
        {% endfor %}
    from sides
    group by all
),

compared as (
    select
        dense_rank() over (order by {{ keys | join(', ') }}) as comparison_no,
        *,
        value_a - value_b as difference,
    from side_by_side
),

tallied as (
    select
        comparison_no,
        {{ listed(keys) }}
        count(difference) as n_common,
        count(value_a) - count(difference) as n_dropped_a,
        count(value_b) - count(difference) as n_dropped_b,
        count(*) filter (abs(difference) > 1e-9) as n_differing,
        avg(value_a order by problem_index) filter (difference is not null) as value_a,
        avg(value_b order by problem_index) filter (difference is not null) as value_b,
        avg(difference order by problem_index) as difference,
        median(difference) as median_difference,
        avg(sampling_variance_a + sampling_variance_b order by problem_index)
        filter (difference is not null) as var_sampling,
        count(sampling_variance_a + sampling_variance_b) as n_variances,
        bool_and(n_samples_a = 1 and n_samples_b = 1) filter (difference is not null)
            as is_single_sample,
        bool_and(value_a in (0, 1) and value_b in (0, 1)) filter (difference is not null)
            as is_binary,
        count(*) filter (value_a = 1 and value_b = 0) as n_only_a,
        count(*) filter (value_a = 0 and value_b = 1) as n_only_b,
        count(*) filter (value_a = 1 and value_b = 1) as n_both,
        count(*) filter (value_a = 0 and value_b = 0) as n_neither,
    from compared
    group by all
    having
        count(value_a) > 0
        and count(value_b) > 0
),

-- rounding leaves equal differences apart: what is below the ninth decimal is none
spreads as (
    select
        compared.comparison_no,
        sum(
            pow(compared.difference - tallied.difference, 2) order by compared.problem_index
        ) / nullif(any_value(tallied.n_common) - 1, 0) as var_difference,
        count(*) filter (abs(compared.difference - tallied.median_difference) > 1e-9)
            as n_off_median,
    from compared
    inner join tallied on compared.comparison_no = tallied.comparison_no
    group by compared.comparison_no
),

measured as (
    select
        tallied.*,
        cast(tallied.n_common - 1 as integer) as df,
        if(sqrt(spreads.var_difference) < 1e-9, 0.0, spreads.var_difference) as var_difference,
        sqrt(nullif(if(sqrt(spreads.var_difference) < 1e-9, 0.0, spreads.var_difference), 0))
        / sqrt(tallied.n_common) as standard_error,
        spreads.n_off_median,
        case
            when tallied.n_common = 0 then 'no_common_problems'
            when tallied.n_common = 1 then 'one_problem'
        end as test_null_reason,
    from tallied
    inner join spreads on tallied.comparison_no = spreads.comparison_no
),

-- few differences have few signs, which are all taken; of many, signs are drawn
{{ exact_signs('compared', ['comparison_no']) }},

flip_values as (
    select
        compared.comparison_no,
        entries.release_id,
        entries.n_dataset,
        compared.problem_index,
        compared.difference,
    from compared
    inner join measured on compared.comparison_no = measured.comparison_no
    inner join pairs on measured.pair_no = pairs.pair_no
    inner join entries on pairs.entry_a = entries.entry_no
    where measured.n_differing >= {{ var('few_clusters') }}
),

{{ sign_flips_counted('flip_values', 'comparison_no', signs) }},

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
        measured.*,
        pairs.entry_a,
        pairs.entry_b,
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
        if(measured.var_difference > 0, flips_counted.n_flips, null) as n_flips,
        case
            when measured.test_null_reason is not null then null
            when measured.n_differing = 0 then 1.0
            -- all signs alike: no others reach so far
            when measured.var_difference = 0 then pow(2, 1 - measured.n_differing)
            else
                coalesce(
                    signs_enumerated.permutation_p,
                    (1 + flips_counted.n_hits) / (1 + flips_counted.n_flips)
                )
        end as permutation_p,
        {{ mcnemar_p('measured.n_only_a', 'measured.n_only_b') }} as mcnemar_p,
    from measured
    inner join t_values on measured.comparison_no = t_values.comparison_no
    inner join p_values on measured.comparison_no = p_values.comparison_no
    inner join pairs on measured.pair_no = pairs.pair_no
    left join signs_enumerated on measured.comparison_no = signs_enumerated.comparison_no
    left join flips_counted on measured.comparison_no = flips_counted.comparison_no
),

-- decision 23: the exact test where it exists, t where many problems differ, signs elsewhere
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
        p_chosen.n_flips,
        if(p_chosen.n_flips is null, null, cast({{ var('bootstrap_seed') }} as bigint))
            as seed,
        {% for tally in ['n_only_a', 'n_only_b', 'n_both', 'n_neither'] %}
        if(p_chosen.mcnemar_null_reason is null, p_chosen.{{ tally }}, null) as {{ tally }},
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
