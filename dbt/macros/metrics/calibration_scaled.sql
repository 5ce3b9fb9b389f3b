{#- The metrics of scores rescaled on held-out folds. Version 1 has Platt scaling and one split, as
    the paper; version 2 every rescaler, means over splits, and the coefficients of the curves. -#}
{% macro calibration_scaled(version) %}
{% set averaged = ['mean_score', 'brier', 'skill_score', 'ece'] %}
with raw_measured as (
    select *
    from {{ ref('int_calibration_measured') }}
    where version = {{ version }}
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

rescalers as (
    select unnest({{ ['platt', 'temperature', 'isotonic'] if version == 2 else ['platt'] }}) as rescaler
),

fits as (
    select *
    from {{ ref('int_calibration_fit_tallied') }}
),

rescaled as (
    select *
    from {{ ref('int_calibration_rescaled_measured') }}
),

raw_estimates as (
    select *
    from {{ ref('int_calibration_estimated') }}
    where rescaler = 'none'
),

estimates as (
    select *
    from {{ ref('int_calibration_estimated') }}
    where rescaler != 'none'
),

{% if version == 2 %}
spreads as (
    select *
    from {{ ref('int_calibration_line_measured') }}
),
{% endif %}

means as (
    select
        subject_no,
        rescaler,
        {% for statistic in averaged + ['n_bins', 'largest_bin_share', 'score_sd'] %}
        avg({{ statistic }} order by fold_seed) as {{ statistic }},
        stddev_samp({{ statistic }} order by fold_seed) as {{ statistic }}_seed_sd,
        {% endfor %}
        count(*) as n_seeds,
    from rescaled
    group by subject_no, rescaler
),

-- unskilled is the base rate before and after: rescaling it out of fold would only add noise
measured as (
    select
        raw_measured.subject_no,
        raw_measured.group_no,
        raw_measured.measure,
        rescalers.rescaler,
        {{ listed(calibration_tallies(), 'raw_measured') }}
        raw_measured.base_rate,
        raw_measured.brier_reference,
        raw_measured.auroc,
        coalesce(fits.is_steep, false) as is_steep,
        coalesce(fits.n_one_class, 0) as n_one_class,
        coalesce(fits.n_constant_score, 0) as n_constant_score,
        fits.slope,
        fits.intercept,
        if(fits.null_reason is null, means.n_seeds, null) as n_seeds,
        case
            when raw_measured.n_used = 0 then 'empty'
            when raw_measured.measure = 'unskilled' then null
            when fits.null_reason is not null then fits.null_reason
            when means.brier is null then 'not_fitted'
            when raw_measured.n_positive in (0, raw_measured.n_used) then 'single_class'
        end as null_reason,
        {% for statistic, defined in [
            ('mean_score', 'raw_measured.base_rate'), ('brier', 'raw_measured.brier_reference'),
            ('skill_score', '0.0'), ('ece', '0.0'), ('n_bins', '1'), ('largest_bin_share', '1.0'),
            ('score_sd', '0.0'),
        ] %}
        case
            when raw_measured.n_used = 0 then null
            when raw_measured.measure = 'unskilled' then {{ defined }}
            when fits.null_reason is null then means.{{ statistic }}
        end as {{ statistic }},
        {% endfor %}
        {% for name in averaged %}
        if(fits.null_reason is null, means.{{ name }}_seed_sd, null) as {{ name }}_seed_sd,
        {% endfor %}
    from raw_measured
    cross join rescalers
    left join fits
        on
            raw_measured.subject_no = fits.subject_no
            and rescalers.rescaler = fits.rescaler
    left join means
        on
            raw_measured.subject_no = means.subject_no
            and rescalers.rescaler = means.rescaler
),

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        {% if version == 1 %}
        {{ paper_departures('label_groups', 'measured.measure') }} as paper_departures,
        {% endif %}
        measured.measure,
        measured.rescaler,
        measured.base_rate,
        raw_estimates.base_rate_lo,
        raw_estimates.base_rate_hi,
        {% for statistic in averaged %}
        measured.{{ statistic }},
        {% if version == 2 %}
        measured.{{ statistic }}_seed_sd,
        {% endif %}
        -- bounded under one split; the value, a mean over splits, lies within
        if(
            estimates.{{ statistic }}_lo is null,
            null,
            least(estimates.{{ statistic }}_lo, measured.{{ statistic }})
        ) as {{ statistic }}_lo,
        if(
            estimates.{{ statistic }}_hi is null,
            null,
            greatest(estimates.{{ statistic }}_hi, measured.{{ statistic }})
        ) as {{ statistic }}_hi,
        {% endfor %}
        {% if version == 1 %}
        if(
            measured.skill_score >= {{ var('collapsed_skill') }}, measured.ece, null
        ) as ece_reported,
        {% endif %}
        measured.auroc,
        raw_estimates.auroc_lo,
        raw_estimates.auroc_hi,
        {{ interval_reasons(['base_rate', 'auroc'], 'measured', 'raw_estimates') }}
        {{ interval_reasons(averaged, 'measured', 'estimates') }}
        measured.brier_reference,
        {% if version == 2 %}
        {{ calibration_estimates() }}
        {% endif %}
        measured.null_reason,
        {% if version == 2 %}
        measured.slope,
        {% for end, sign in [('lo', '-'), ('hi', '+')] %}
        case
            when
                spreads.n_problems >= {{ var('least_clusters') }}
                and spreads.n_of_a_class >= {{ var('least_of_a_class') }}
                then measured.slope {{ sign }} spreads.slope_half_width
        end as slope_{{ end }},
        {% endfor %}
        case
            when measured.slope is null then null
            when measured.rescaler = 'platt' then 'smoothed_targets'
            when spreads.subject_no is null then 'constant_curve'
            when spreads.n_problems < {{ var('least_clusters') }} then 'problems_lt_min'
            when spreads.n_of_a_class < {{ var('least_of_a_class') }} then 'class_lt_min'
        end as slope_interval_null_reason,
        measured.intercept,
        if(measured.rescaler = 'temperature', 1 / nullif(measured.slope, 0), null) as temperature,
        abs(measured.slope) as slope_size,
        abs(measured.auroc - 0.5) as auroc_distance,
        measured.score_sd,
        measured.largest_bin_share >= {{ var('collapsed_share') }}
        or coalesce(measured.skill_score < {{ var('collapsed_skill') }}, false) as collapsed,
        cast(measured.n_one_class as bigint) as n_one_class_folds,
        measured.n_seeds,
        {% endif %}
        measured.n_bins,
        measured.largest_bin_share,
        measured.is_steep,
        cast(measured.n_constant_score as bigint) as n_constant_folds,
        {{ calibration_counts() }}
        'calibration_scaled_v{{ version }}' as view_version,
    from measured
    inner join label_groups on measured.group_no = label_groups.group_no
    left join raw_estimates on measured.subject_no = raw_estimates.subject_no
    left join estimates
        on
            measured.subject_no = estimates.subject_no
            and measured.rescaler = estimates.rescaler
            -- made beside curves that do not count
            and measured.null_reason is distinct from 'n_lt_min'
    {% if version == 2 %}
    left join spreads
        on
            if(measured.rescaler = 'temperature', measured.subject_no, null) = spreads.subject_no
    {% endif %}
)

select * from published
{% endmacro %}
