{% set keys = ['pair_no', 'metric', 'k'] %}
{% set family = ['release_no', 'simulated', 'pairing', 'board_no', 'metric', 'k'] %}
{% set either = ['lm_id', 'lm', 'revision', 'setting_id', 'setting'] %}

with entries as (
    select
        numbered.*,
        settings.task,
        settings.prompt_kind,
    from {{ ref('int_entry_numbered') }} as numbered
    inner join {{ ref('stg_setting') }} as settings on numbered.setting_id = settings.setting_id
),

headlines as (
    select entries.*
    from entries
    inner join {{ ref('headline_setting', v=1) }} as shown
        on
            entries.lm_id = shown.lm_id
            and entries.dataset = shown.dataset
            and entries.setting_id = shown.setting_id
    where
        shown.family = 'leaderboard'
        and shown.rank = 1
),

problem_values as (
    select *
    from {{ ref('int_problem_metric') }}
),

ranked as (
    select
        entries.*,
        placed.board_no,
    from entries
    inner join {{ ref('int_entry_placed') }} as placed on entries.entry_no = placed.entry_no
    where placed.unranked_reason is null
),

-- the first name of the alphabet comes before; what was asked differently is compared only within
-- a language model
pairings as (
    select
        'language_models' as pairing,
        cast(null as bigint) as board_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from headlines as a
    inner join headlines as b
        on
            a.release_no = b.release_no
            and a.simulated is not distinct from b.simulated
            and a.task = b.task
            and a.prompt_kind = b.prompt_kind
            and (a.lm, a.revision, a.lm_id) < (b.lm, b.revision, b.lm_id)
    union all
    select
        'settings' as pairing,
        cast(null as bigint) as board_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from entries as a
    inner join entries as b
        on
            a.release_no = b.release_no
            and a.lm_id = b.lm_id
            and a.task = b.task
            and (a.setting, a.setting_id) < (b.setting, b.setting_id)
    union all
    select
        'board' as pairing,
        a.board_no,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
    from ranked as a
    inner join ranked as b
        on
            a.board_no = b.board_no
            and (a.lm, a.revision, a.lm_id, a.setting, a.setting_id)
            < (b.lm, b.revision, b.lm_id, b.setting, b.setting_id)
),

-- each pair is measured once; pairs of a board alone only by what ranks them
pairs as (
    select
        row_number() over (order by entry_a, entry_b) as pair_no,
        entry_a,
        entry_b,
        bool_and(pairing = 'board') as is_of_board_only,
    from pairings
    group by entry_a, entry_b
),

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
    where problem_values.metric = 'pass_at_k' or not pairs.is_of_board_only
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

flip_values as (
    select
        compared.comparison_no,
        entries.release_no,
        entries.n_dataset,
        compared.problem_index,
        compared.difference,
    from compared
    inner join measured on compared.comparison_no = measured.comparison_no
    inner join pairs on measured.pair_no = pairs.pair_no
    inner join entries on pairs.entry_a = entries.entry_no
    where measured.n_common > 1
),

{{ sign_flips_counted('flip_values', 'comparison_no') }},

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
        pairings.pairing,
        pairings.board_no,
        pairs.entry_a,
        pairs.entry_b,
        entries.release_no,
        entries.simulated,
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
            when not measured.is_single_sample then 'several_samples'
            when not measured.is_binary then 'not_binary'
        end as mcnemar_null_reason,
        if(
            measured.test_null_reason is null and measured.n_differing = 0, 1.0, p_values.t_p
        ) as t_p,
        {{ student_t_tail('t_values.t_above', 'p_values.t_above_p', '>') }} as tost_lower_p,
        {{ student_t_tail('t_values.t_below', 'p_values.t_below_p', '<') }} as tost_upper_p,
        flips_counted.n_flips,
        (1 + flips_counted.n_hits) / (1 + flips_counted.n_flips) as permutation_p,
        {{ mcnemar_p('measured.n_only_a', 'measured.n_only_b') }} as mcnemar_p,
    from measured
    inner join t_values on measured.comparison_no = t_values.comparison_no
    inner join p_values on measured.comparison_no = p_values.comparison_no
    inner join pairs on measured.pair_no = pairs.pair_no
    inner join entries on pairs.entry_a = entries.entry_no
    inner join pairings on pairs.entry_a = pairings.entry_a and pairs.entry_b = pairings.entry_b
    left join flips_counted on measured.comparison_no = flips_counted.comparison_no
    where pairings.pairing != 'board' or measured.metric = 'pass_at_k'
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

-- a comparison without a p value is no member of its family
placed as (
    select
        *,
        count(p_value) over (partition by {{ family | join(', ') }}) as n_family,
        row_number() over (
            partition by {{ family | join(', ') }}
            order by p_value nulls last, comparison_no
        ) as place,
    from p_chosen
),

adjusted as (
    select
        *,
        {{ holm_p('p_value', 'n_family', 'place', family) }} as holm_p,
        {{ bh_p('p_value', 'n_family', 'place', family) }} as bh_p,
    from placed
),

published as (
    select
        entries.dataset,
        entries.dataset_version,
        entries.release_id,
        entries.simulated,
        adjusted.pairing,
        adjusted.metric,
        adjusted.k,
        {{ listed_as(either, 'entries', '_a') }}
        {{ listed_as(either, 'others', '_b') }}
        adjusted.n_common,
        adjusted.n_dropped_a,
        adjusted.n_dropped_b,
        adjusted.n_differing,
        adjusted.value_a,
        adjusted.value_b,
        adjusted.difference,
        if(
            adjusted.interval_null_reason is null,
            adjusted.difference - adjusted.t_quantile * adjusted.standard_error,
            null
        ) as difference_lo,
        if(
            adjusted.interval_null_reason is null,
            adjusted.difference + adjusted.t_quantile * adjusted.standard_error,
            null
        ) as difference_hi,
        adjusted.standard_error,
        if(adjusted.n_common = 0, 'no_common_problems', null) as null_reason,
        adjusted.interval_null_reason,
        adjusted.test,
        adjusted.p_value,
        adjusted.holm_p,
        adjusted.bh_p,
        adjusted.n_family,
        adjusted.test_null_reason,
        adjusted.t_p,
        adjusted.permutation_p,
        adjusted.n_flips,
        if(adjusted.permutation_p is null, null, cast({{ var('bootstrap_seed') }} as bigint))
            as seed,
        {% for tally in ['n_only_a', 'n_only_b', 'n_both', 'n_neither'] %}
        if(adjusted.mcnemar_null_reason is null, adjusted.{{ tally }}, null) as {{ tally }},
        {% endfor %}
        adjusted.mcnemar_p,
        adjusted.mcnemar_null_reason,
        if(
            adjusted.interval_null_reason is null,
            ({{ var('normal_quantile') }} + {{ var('power_quantile') }}) * adjusted.standard_error,
            null
        ) as minimum_detectable_effect,
        cast({{ var('equivalence_margin') }} as double) as equivalence_margin,
        if(adjusted.interval_null_reason is null, adjusted.tost_lower_p, null) as tost_lower_p,
        if(adjusted.interval_null_reason is null, adjusted.tost_upper_p, null) as tost_upper_p,
        if(
            adjusted.interval_null_reason is null,
            greatest(adjusted.tost_lower_p, adjusted.tost_upper_p) < {{ var('significance') }},
            null
        ) as equivalent,
        if(
            adjusted.test_null_reason is null and adjusted.n_variances = adjusted.n_common,
            adjusted.var_difference - adjusted.var_sampling,
            null
        ) as var_problem,
        if(
            adjusted.test_null_reason is null and adjusted.n_variances = adjusted.n_common,
            adjusted.var_sampling,
            null
        ) as var_sampling,
        case
            when adjusted.test_null_reason is not null then adjusted.test_null_reason
            when adjusted.metric in ('csim', 'dpass') then 'not_estimated'
            when adjusted.n_variances < adjusted.n_common then 'n_lt_2k'
        end as variance_null_reason,
        'comparison_v1' as view_version,
    from adjusted
    inner join entries on adjusted.entry_a = entries.entry_no
    inner join entries as others on adjusted.entry_b = others.entry_no
)

select * from published
