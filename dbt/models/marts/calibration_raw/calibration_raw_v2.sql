with measured as (
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
        {% for statistic in calibration_intervals() %}
        {{ statistic }},
        {% endfor %}
        brier_reference,
        n_bins,
        reliability,
        resolution,
        within_variance,
        within_covariance,
        corp_miscalibration,
        corp_discrimination,
        calibration_error_square,
        ece_noise_floor,
        log_loss,
        ece_quantile,
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

estimates as (
    select
        subject_no,
        {% for statistic in calibration_intervals() + ['smooth_ece'] %}
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
    where rescaler = 'none'
),

published as (
    select
        {% for column in calibration_entry_columns() %}
        label_groups.{{ column }},
        {% endfor %}
        measured.measure,
        {% for statistic in calibration_intervals() %}
        measured.{{ statistic }},
        estimates.{{ statistic }}_lo,
        estimates.{{ statistic }}_hi,
        {% endfor %}
        measured.brier_reference,
        measured.reliability as murphy_reliability,
        measured.resolution as murphy_resolution,
        measured.brier_reference as murphy_uncertainty,
        measured.within_variance as murphy_within_variance,
        measured.within_covariance as murphy_within_covariance,
        measured.corp_miscalibration,
        measured.corp_discrimination,
        measured.brier_reference as corp_uncertainty,
        estimates.smooth_ece,
        estimates.smooth_ece_lo,
        estimates.smooth_ece_hi,
        estimates.smooth_ece_width,
        estimates.ece_debiased_l1,
        sqrt(greatest(measured.calibration_error_square, 0.0)) as ece_debiased_l2,
        measured.calibration_error_square,
        measured.ece_quantile,
        measured.ece_noise_floor,
        measured.log_loss,
        case
            when measured.n_used = 0 then 'empty'
            when
                measured.measure != 'unskilled'
                and measured.n_positive in (0, measured.n_used)
                then 'single_class'
        end as null_reason,
        estimates.interval_method,
        cast(estimates.n_replicates as bigint) as n_replicates,
        cast(estimates.seed as bigint) as seed,
        cast(measured.n_bins as bigint) as n_bins,
        'left_closed' as bin_convention,
        {{ calibration_counts('measured') }}
        'calibration_raw_v2' as view_version,
    from measured
    inner join label_groups on measured.group_no = label_groups.group_no
    left join estimates on measured.subject_no = estimates.subject_no
)

select * from published
