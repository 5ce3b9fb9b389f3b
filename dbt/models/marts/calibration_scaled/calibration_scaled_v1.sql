{% set bootstrapped = ['mean_score', 'brier', 'skill_score', 'ece'] %}

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
    where version = 1
),

label_groups as (
    select
        group_no,
        {% for column in calibration_entry_columns() %}
        {{ column }},
        {% endfor %}
    from {{ ref('int_calibration_group') }}
),

fits as (
    select *
    from {{ ref('int_calibration_fit_told') }}
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
    select
        subject_no,
        {% for statistic in bootstrapped %}
        {{ statistic }}_lo,
        {{ statistic }}_hi,
        {% endfor %}
        interval_method,
        n_replicates,
        seed,
    from {{ ref('int_calibration_estimated') }}
    where rescaler = 'platt'
),

-- unskilled is the base rate before and after: rescaling it out of fold would only add noise
measured as (
    select
        raw_measured.subject_no,
        raw_measured.group_no,
        raw_measured.measure,
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
        coalesce(fits.n_constant_score, 0) as n_constant_score,
        case
            when raw_measured.n_used = 0 then 'empty'
            when raw_measured.measure = 'unskilled' then null
            when fits.null_reason is not null then fits.null_reason
            when rescaled.brier is null then 'not_fitted'
            when raw_measured.n_positive in (0, raw_measured.n_used) then 'single_class'
        end as null_reason,
        {% for statistic, defined in [
            ('mean_score', 'raw_measured.base_rate'), ('brier', 'raw_measured.brier_reference'),
            ('skill_score', '0.0'), ('ece', '0.0'), ('n_bins', '1'), ('largest_bin_share', '1.0'),
        ] %}
        case
            when raw_measured.n_used = 0 then null
            when raw_measured.measure = 'unskilled' then {{ defined }}
            when fits.null_reason is null then rescaled.{{ statistic }}
        end as {{ statistic }},
        {% endfor %}
    from raw_measured
    left join fits on raw_measured.subject_no = fits.subject_no
    left join rescaled on raw_measured.subject_no = rescaled.subject_no
),

published as (
    select
        {% for column in calibration_entry_columns() %}
        label_groups.{{ column }},
        {% endfor %}
        measured.measure,
        'platt' as rescaler,
        measured.base_rate,
        raw_estimates.base_rate_lo,
        raw_estimates.base_rate_hi,
        {% for statistic in bootstrapped %}
        measured.{{ statistic }},
        estimates.{{ statistic }}_lo,
        estimates.{{ statistic }}_hi,
        {% endfor %}
        if(
            measured.skill_score >= {{ var('collapsed_skill') }}, measured.ece, null
        ) as ece_reported,
        measured.auroc,
        raw_estimates.auroc_lo,
        raw_estimates.auroc_hi,
        measured.brier_reference,
        measured.null_reason,
        measured.is_steep,
        cast(measured.n_constant_score as bigint) as n_constant_folds,
        estimates.interval_method,
        cast(estimates.n_replicates as bigint) as n_replicates,
        cast(estimates.seed as bigint) as seed,
        cast(measured.n_bins as double) as n_bins,
        measured.largest_bin_share,
        'left_closed' as bin_convention,
        {{ calibration_counts('measured') }}
        'calibration_scaled_v1' as view_version,
    from measured
    inner join label_groups on measured.group_no = label_groups.group_no
    left join raw_estimates on measured.subject_no = raw_estimates.subject_no
    left join estimates on measured.subject_no = estimates.subject_no
)

select * from published
