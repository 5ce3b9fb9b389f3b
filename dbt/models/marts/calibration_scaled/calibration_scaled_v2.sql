{% set averaged = ['mean_score', 'brier', 'skill_score', 'ece'] %}

with raw_measured as (
    select
        subject_no,
        group_no,
        measure,
        n_total,
        n_used,
        n_positive,
        n_clusters,
        {% for reason in calibration_null_reasons() %}
        n_null_{{ reason }},
        {% endfor %}
        base_rate,
        brier_reference,
        auroc,
    from {{ ref('int_calibration_measured') }}
    where version = 2
),

label_groups as (
    select
        group_no,
        {% for column in calibration_entry_columns() %}
        {{ column }},
        {% endfor %}
    from {{ ref('int_calibration_group') }}
),

rescalers as (
    select unnest(['platt', 'temperature', 'isotonic']) as rescaler
),

fits as (
    select *
    from {{ ref('int_calibration_fit_told') }}
),

rescaled as (
    select
        subject_no,
        rescaler,
        fold_seed,
        {% for statistic in averaged %}
        {{ statistic }},
        {% endfor %}
        n_bins,
        largest_bin_share,
        score_sd,
    from {{ ref('int_calibration_rescaled_measured') }}
),

raw_estimates as (
    select *
    from {{ ref('int_calibration_estimated') }}
    where rescaler = 'none'
),

estimates as (
    select
        subject_no,
        rescaler,
        {% for statistic in averaged + ['smooth_ece'] %}
        {{ statistic }}_lo,
        {{ statistic }}_hi,
        {% endfor %}
        smooth_ece,
        smooth_ece_width,
        ece_debiased_l1,
        interval_method,
        n_replicates,
        seed,
    from {{ ref('int_calibration_estimated') }}
    where rescaler != 'none'
),

spreads as (
    select *
    from {{ ref('int_calibration_line_measured') }}
),

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
        raw_measured.n_total,
        raw_measured.n_used,
        raw_measured.n_positive,
        raw_measured.n_clusters,
        {% for reason in calibration_null_reasons() %}
        raw_measured.n_null_{{ reason }},
        {% endfor %}
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
        {% for column in calibration_entry_columns() %}
        label_groups.{{ column }},
        {% endfor %}
        measured.measure,
        measured.rescaler,
        measured.base_rate,
        raw_estimates.base_rate_lo,
        raw_estimates.base_rate_hi,
        {% for statistic in averaged %}
        measured.{{ statistic }},
        measured.{{ statistic }}_seed_sd,
        estimates.{{ statistic }}_lo,
        estimates.{{ statistic }}_hi,
        {% endfor %}
        measured.auroc,
        raw_estimates.auroc_lo,
        raw_estimates.auroc_hi,
        measured.brier_reference,
        estimates.smooth_ece,
        estimates.smooth_ece_lo,
        estimates.smooth_ece_hi,
        estimates.smooth_ece_width,
        estimates.ece_debiased_l1,
        measured.null_reason,
        {% for coefficient in ['slope', 'intercept'] %}
        measured.{{ coefficient }},
        measured.{{ coefficient }} - {{ var('normal_quantile') }} * spreads.{{ coefficient }}_se
            as {{ coefficient }}_lo,
        measured.{{ coefficient }} + {{ var('normal_quantile') }} * spreads.{{ coefficient }}_se
            as {{ coefficient }}_hi,
        {% endfor %}
        if(measured.rescaler = 'temperature', 1 / nullif(measured.slope, 0), null) as temperature,
        abs(measured.slope) as slope_size,
        abs(measured.auroc - 0.5) as auroc_distance,
        measured.n_bins,
        measured.largest_bin_share,
        measured.score_sd,
        measured.largest_bin_share >= {{ var('collapsed_share') }}
        or coalesce(measured.skill_score < {{ var('collapsed_skill') }}, false) as collapsed,
        measured.is_steep,
        cast(measured.n_one_class as bigint) as n_one_class_folds,
        cast(measured.n_constant_score as bigint) as n_constant_folds,
        measured.n_seeds,
        estimates.interval_method,
        cast(estimates.n_replicates as bigint) as n_replicates,
        cast(estimates.seed as bigint) as seed,
        'left_closed' as bin_convention,
        {{ calibration_counts('measured') }}
        'calibration_scaled_v2' as view_version,
    from measured
    inner join label_groups on measured.group_no = label_groups.group_no
    left join raw_estimates on measured.subject_no = raw_estimates.subject_no
    left join estimates
        on
            measured.subject_no = estimates.subject_no
            and measured.rescaler = estimates.rescaler
    left join spreads
        on
            measured.subject_no = spreads.subject_no
            and measured.rescaler = spreads.rescaler
)

select * from published
