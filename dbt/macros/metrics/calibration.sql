{#- What a calibration subject is scored by: the column of the score in int_confidence_measured.
    Beside it are the column of its logarithm, where the score may underflow, and that of the reason
    without one. The order numbers the subjects of a build. Unskilled is no column: its numbers are
    defined. -#}
{% macro calibration_measures() -%}
    {%- set tokens = 'token_null_reason' -%}
    {%- set stopped = 'token_null_reason_incl_stop' -%}
    {{ return([
        [1, 'avg_prob', 'avg_prob', none, tokens],
        [1, 'total_prob', 'total_prob', 'log_total_prob', tokens],
        [1, 'verbalized', 'verbalized_v1', none, 'verbalized_null_reason_v1'],
        [1, 'ask_tf', 'ask_tf_v1', none, 'ask_tf_null_reason_v1'],
        [1, 'ask_tf_normalized', 'ask_tf_normalized_v1', none, 'ask_tf_normalized_null_reason_v1'],
        [1, 'length', 'length_v1', none, 'length_null_reason_v1'],
        [2, 'avg_prob', 'avg_prob', none, tokens],
        [2, 'total_prob', 'total_prob', 'log_total_prob', tokens],
        [2, 'geometric_mean_prob', 'geometric_mean_prob', 'log_geometric_mean_prob', tokens],
        [2, 'min_prob', 'min_prob', 'log_min_prob', tokens],
        [2, 'avg_prob_incl_stop', 'avg_prob_incl_stop', none, stopped],
        [2, 'total_prob_incl_stop', 'total_prob_incl_stop', 'log_total_prob_incl_stop', stopped],
        [2, 'verbalized', 'verbalized_v2', none, 'verbalized_null_reason_v2'],
        [2, 'verbalized_base_rate', 'verbalized_base_rate', none, 'verbalized_base_rate_null_reason'],
        [2, 'ask_tf', 'ask_tf_v2', none, 'ask_tf_null_reason_v2'],
        [2, 'ask_tf_normalized', 'ask_tf_normalized_v2', none, 'ask_tf_normalized_null_reason_v2'],
        [2, 'length', 'length_v2', none, 'length_null_reason_v2'],
    ]) }}
{%- endmacro %}

{#- The columns of int_confidence_measured that calibration reads. The base rate as a score is none:
    it depends on the labels. -#}
{% macro calibration_columns() -%}
    {%- set columns = [] -%}
    {%- for version, measure, score, log_score, reason in calibration_measures()
        if measure != 'verbalized_base_rate' -%}
        {%- for column in [score, log_score, reason] if column and column not in columns -%}
            {%- do columns.append(column) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}

{#- Why a generation has no score. -#}
{% macro score_null_reasons() -%}
    {{ return([
        'empty', 'missing_logprobs', 'logprob_positive', 'not_asked', 'parse_fail', 'not_applicable',
    ]) }}
{%- endmacro %}

{#- Why a generation is not used by a calibration view; the first that holds is the one counted. -#}
{% macro calibration_null_reasons() -%}
    {{ return([
        'errata', 'reference_fails', 'not_executed', 'harness_fault', 'canary_failed', 'not_available',
    ] + score_null_reasons()) }}
{%- endmacro %}

{#- Why a claim is not used by claimed_calibration; the first that holds is the one counted. -#}
{% macro claimed_score_null_reasons() -%}
    {{ return(['no_verdict_claimed', 'no_confidence_claimed'] + score_null_reasons()) }}
{%- endmacro %}

{#- Words as a list of SQL strings in brackets. -#}
{% macro quoted(words) -%}
    ({% for word in words %}'{{ word }}'{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

{#- What a bin adds up: rows, weights, scores and labels. -#}
{% macro calibration_sums() -%}
    count(*) as n,
    sum(w) as w,
    sum(w * w) as ww,
    sum(w * p) as wp,
    sum(w * p * p) as wpp,
    sum(if(y, w, 0.0)) as wy,
    sum(if(y, w * p, 0.0)) as wpy,
{%- endmacro %}

{#- The same sums from `levels`, in which the rows of one score are added up (score_levels). -#}
{% macro calibration_level_sums() -%}
    cast(sum(n) as bigint) as n,
    sum(wy + wn) as w,
    sum(ww) as ww,
    sum((wy + wn) * p) as wp,
    sum((wy + wn) * p * p) as wpp,
    sum(wy) as wy,
    sum(wy * p) as wpy,
{%- endmacro %}

{#- The names of these sums. -#}
{% macro calibration_sum_names() -%}
    {{ return(['n', 'w', 'ww', 'wp', 'wpp', 'wy', 'wpy']) }}
{%- endmacro %}

{#- CTEs that end in `scored_bins`: per key, the metrics that bins add up to. The
    bins of bins_cte carry the sums of calibration_sums(). An identity of Murphy's holds exactly:
    brier = reliability - resolution + uncertainty + within_variance - 2 within_covariance. -#}
{% macro bin_scores(bins_cte, keys) -%}
bin_totals as (
    select
        {{ listed(keys) }}
        sum(w) as w,
        sum(wy) / sum(w) as base_rate,
        sum(wp) / sum(w) as mean_score,
    from {{ bins_cte }}
    group by all
),

scored_bins as (
    select
        {{ listed(keys, 'bins') }}
        cast(sum(bins.n) as bigint) as n,
        any_value(totals.base_rate) as base_rate,
        any_value(totals.mean_score) as mean_score,
        any_value(totals.base_rate * (1 - totals.base_rate)) as brier_reference,
        sum(bins.wpp - 2 * bins.wpy + bins.wy) / any_value(totals.w) as brier,
        sum(abs(bins.wy - bins.wp)) / any_value(totals.w) as ece,
        count(*) as n_bins,
        max(bins.w) / any_value(totals.w) as largest_bin_share,
        -- what is left of a constant score is rounding
        sqrt(
            if(
                sum(bins.wpp) / any_value(totals.w)
                - any_value(totals.mean_score * totals.mean_score) < 1e-15,
                0.0,
                sum(bins.wpp) / any_value(totals.w)
                - any_value(totals.mean_score * totals.mean_score)
            )
        ) as score_sd,
        sum((bins.wp - bins.wy) * (bins.wp - bins.wy) / bins.w)
        / any_value(totals.w) as reliability,
        sum(
            bins.w * (bins.wy / bins.w - totals.base_rate) * (bins.wy / bins.w - totals.base_rate)
        ) / any_value(totals.w) as resolution,
        sum(bins.wpp - bins.wp * bins.wp / bins.w) / any_value(totals.w) as within_variance,
        sum(bins.wpy - bins.wp * bins.wy / bins.w) / any_value(totals.w) as within_covariance,
    from {{ bins_cte }} as bins
    inner join bin_totals as totals
        on {{ equal(keys, 'bins', 'totals') }}
    group by {% for key in keys %}bins.{{ key }}{{ ', ' if not loop.last }}{% endfor %}
)
{%- endmacro %}

{#- What names a row of a calibration view: who, on what, asked how, by which notion; the measure follows. -#}
{% macro calibration_entry_columns() -%}
    {{ return(entry_columns() + ['notion']) }}
{%- endmacro %}

{#- Statistics with a bootstrap interval in estimate rows. -#}
{% macro calibration_intervals() -%}
    {{ return(['base_rate', 'mean_score', 'brier', 'skill_score', 'ece', 'auroc']) }}
{%- endmacro %}

{#- What int_calibration_subject and int_calibration_unskilled count. -#}
{% macro calibration_tallies() -%}
    {%- set tallies = ['n_total', 'n_used', 'n_positive', 'n_clusters'] -%}
    {%- for reason in calibration_null_reasons() -%}
        {%- do tallies.append('n_null_' ~ reason) -%}
    {%- endfor -%}
    {{ return(tallies) }}
{%- endmacro %}

{#- What is estimated in Python only, from the CTE `estimates`, and why it is missing. -#}
{% macro calibration_estimates() -%}
    {{ listed_with_intervals(['smooth_ece'], 'estimates', 'estimates') }}
    {{ interval_reasons(['smooth_ece'], 'estimates', 'estimates') }}
    estimates.smooth_ece_width,
    estimates.ece_debiased_l1,
    {{ estimate_reason('measured.n_used', 'estimates', 'ece_debiased_l1') }}
    as ece_debiased_l1_null_reason,
    estimates.ece_noise_floor,
    estimates.calibration_p,
    {{ estimate_reason('measured.n_used', 'estimates', 'calibration_p') }}
    as calibration_p_null_reason,
{%- endmacro %}

{#- Why an estimate is missing: the numbers of unskilled are defined, and others may not be estimated
    yet. NULL without a row of scores and labels, where null_reason says so. -#}
{% macro estimate_reason(value, estimates, statistic) -%}
    case
        when {{ value }} is null or measured.n_used = 0 then null
        when measured.measure = 'unskilled' then 'not_applicable'
        when {{ estimates }}.subject_no is null then 'not_estimated'
        else {{ estimates }}.{{ statistic }}_null_reason
    end
{%- endmacro %}

{#- Why statistics have no interval: from the CTE `measured` and that of the estimates. -#}
{% macro interval_reasons(statistics, of, estimates) -%}
    {%- for statistic in statistics %}
    {{ estimate_reason(of ~ '.' ~ statistic, estimates, statistic) }}
    as {{ statistic }}_interval_null_reason,
    {%- endfor %}
{%- endmacro %}

{#- How intervals were found, counts and flags, which close a row of a calibration view: from the
    CTEs `estimates` and `measured`. -#}
{% macro calibration_counts() -%}
    estimates.interval_method,
    cast(estimates.n_replicates as bigint) as n_replicates,
    cast(estimates.seed as bigint) as seed,
    'left_closed' as bin_convention,
    {{ listed(calibration_tallies(), 'measured') }}
    measured.n_used < {{ var('low_n') }} as low_n,
    measured.n_clusters < {{ var('few_clusters') }} as few_clusters,
    coalesce(measured.base_rate < 0.01, false) as base_rate_lt_1pct,
{%- endmacro %}

{#- Into how many parts of equal size the rows of a subject of version 2 are cut, in order of scores. -#}
{% macro calibration_cells() -%}
    {{ return(64) }}
{%- endmacro %}

{#- The part that a row of int_calibration_pair lies in, from 0. -#}
{% macro calibration_cell(pairs, subjects) -%}
    cast({{ calibration_cells() }}::bigint * ({{ pairs }}.position - 1) // {{ subjects }}.n_used as integer)
{%- endmacro %}

{#- One number for subject, cell, seed and fold, because a join on one number is fast. -#}
{% macro calibration_piece(subject_no, cell, fold_seed, fold) -%}
    (
        (cast({{ subject_no }} as bigint) * {{ calibration_cells() }} + {{ cell }}) * {{ var('max_fold_seeds') }}
        + {{ fold_seed }}
    ) * 5 + {{ fold }}
{%- endmacro %}

{#- CTEs that end in `interval_found`: the interval frac_lo to frac_hi of the share of right answers of each
    bin, problems as clusters (decision 7). The CTE `bins_measured` has group_no, measure, rescaler, kind,
    bin, n and frac_correct, and of its subject subject_no, n_used and n_clusters. Rows are problems
    where each has one; where a problem has several, only bins of raw scores have sums by problem. -#}
{% macro bin_intervals() -%}
bins_clustered as (
    select *
    from {{ ref('int_calibration_bin_clustered') }}
),

interval_spreads as (
    select
        {{ listed(bin_keys(), 'bins_measured') }}
        'frac' as of_measure,
        'share' as of_kind,
        bins_measured.frac_correct as mean,
        cast(
            if(
                bins_measured.n_used = bins_measured.n_clusters,
                bins_measured.n,
                bins_clustered.n_problems
            ) as bigint
        ) as n,
        case
            when bins_measured.n_used = bins_measured.n_clusters
                then bins_measured.frac_correct * (1 - bins_measured.frac_correct)
                * bins_measured.n / nullif(bins_measured.n - 1, 0)
            else bins_clustered.problem_variance
        end as variance,
        -- one answer a problem: coins, whose trials are n whatever the skewness
        coalesce(bins_clustered.problem_cube, 0) as cube,
    from bins_measured
    left join bins_clustered
        on
            bins_measured.subject_no = bins_clustered.subject_no
            and if(
                bins_measured.rescaler = 'none' and bins_measured.kind = 'equal_width',
                bins_measured.bin,
                null
            ) = bins_clustered.bin
    where bins_measured.n > 0
),

{{ interval_bounds(bin_keys(), {'frac': 'share'}) }}
{%- endmacro %}

{#- What names a bin among those of a view. -#}
{% macro bin_keys() -%}
    {{ return(['group_no', 'measure', 'rescaler', 'kind', 'bin']) }}
{%- endmacro %}

{#- The ends of a bin's interval and why it has none, from the CTEs `bins_measured` and `interval_found`. -#}
{% macro bin_interval_columns() -%}
    interval_found.frac_lo as wilson_lo,
    interval_found.frac_hi as wilson_hi,
    case
        when bins_measured.n = 0 then null
        when interval_found.frac_lo is null
            then coalesce(interval_found.frac_interval_null_reason, 'several_samples')
    end as interval_null_reason,
{%- endmacro %}

{#- CTEs that end in `newest`: what is estimated of the rows as they are, from the CTE `subjects`.
    Estimates of other scores or labels are stale; of two that are not, the newer counts. -#}
{% macro newest_estimates() -%}
stored_estimates as (
    select *
    from {{ ref('stg_estimate') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

newest as (
    select
        subjects.subject_no,
        stored_estimates.rescaler,
        stored_estimates.statistic,
        stored_estimates.value,
        stored_estimates.low,
        stored_estimates.high,
        stored_estimates.null_reason,
        stored_estimates.n_replicates,
        stored_estimates.seed,
        stored_estimates.method,
    from subjects
    inner join stored_estimates
        on
            subjects.subject_key = stored_estimates.subject_key
            and subjects.input_key = stored_estimates.input_key
    inner join runs on stored_estimates.run_id = runs.run_id
    qualify row_number() over (
        partition by subjects.subject_no, stored_estimates.rescaler, stored_estimates.statistic
        order by runs.started_at desc, stored_estimates.estimate_id desc
    ) = 1
)
{%- endmacro %}
