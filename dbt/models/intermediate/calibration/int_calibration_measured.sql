with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
),

unskilled as (
    select *
    from {{ ref('int_calibration_unskilled') }}
),

bins as (
    select *
    from {{ ref('int_calibration_binned') }}
),

clusters as (
    select *
    from {{ ref('int_calibration_bin_clustered') }}
),

quantile_bins as (
    select *
    from {{ ref('int_calibration_quantile_binned') }}
),

ranks as (
    select *
    from {{ ref('int_calibration_ranked') }}
),

{{ bin_scores('bins', ['subject_no']) }},

losses_added as (
    select
        subject_no,
        sum(w_log_loss) / sum(w) as log_loss,
    from bins
    group by all
),

-- a bin of one problem cannot tell chance from error
errors_debiased as (
    select
        bins.subject_no,
        sum(
            if(
                clusters.rate_variance is null,
                0.0,
                bins.w * (
                    (bins.wp - bins.wy) * (bins.wp - bins.wy) / (bins.w * bins.w)
                    - clusters.rate_variance
                )
            )
        ) / sum(bins.w) as calibration_error_square,
    from bins
    inner join clusters
        on
            bins.subject_no = clusters.subject_no
            and bins.bin = clusters.bin
    group by bins.subject_no
),

quantiles_added as (
    select
        subject_no,
        sum(abs(wp - wy)) / sum(w) as ece_quantile,
    from quantile_bins
    group by all
),

subjects_measured as (
    select
        subjects.subject_no,
        subjects.group_no,
        subjects.version,
        subjects.measure,
        {{ listed(calibration_tallies(), 'subjects') }}
        scored_bins.base_rate,
        scored_bins.mean_score,
        scored_bins.brier_reference,
        scored_bins.brier,
        {{ skill_score(
            'scored_bins.brier', 'scored_bins.brier_reference',
            'subjects.n_positive', 'subjects.n_used'
        ) }} as skill_score,
        scored_bins.ece,
        if(
            subjects.n_positive between 1 and subjects.n_used - 1, ranks.auroc, null
        ) as auroc,
        scored_bins.n_bins,
        scored_bins.largest_bin_share,
        scored_bins.score_sd,
        scored_bins.reliability,
        scored_bins.resolution,
        scored_bins.within_variance,
        scored_bins.within_covariance,
        errors_debiased.calibration_error_square,
        scored_bins.brier - ranks.brier_recalibrated as corp_miscalibration,
        scored_bins.brier_reference - ranks.brier_recalibrated as corp_discrimination,
        losses_added.log_loss,
        quantiles_added.ece_quantile,
    from subjects
    left join scored_bins on subjects.subject_no = scored_bins.subject_no
    left join ranks on subjects.subject_no = ranks.subject_no
    left join losses_added on subjects.subject_no = losses_added.subject_no
    left join errors_debiased on subjects.subject_no = errors_debiased.subject_no
    left join quantiles_added on subjects.subject_no = quantiles_added.subject_no
),

-- the base rate itself as every score: defined, not measured
unskilled_measured as (
    select
        null as subject_no,
        group_no,
        version,
        'unskilled' as measure,
        {{ listed(calibration_tallies()) }}
        base_rate,
        base_rate as mean_score,
        base_rate * (1 - base_rate) as brier_reference,
        base_rate * (1 - base_rate) as brier,
        if(n_used > 0, 0.0, null) as skill_score,
        if(n_used > 0, 0.0, null) as ece,
        if(n_used > 0, 0.5, null) as auroc,
        if(n_used > 0, 1, null) as n_bins,
        if(n_used > 0, 1.0, null) as largest_bin_share,
        if(n_used > 0, 0.0, null) as score_sd,
    from unskilled
),

measured as (
    select *
    from subjects_measured
    union all by name
    select *
    from unskilled_measured
)

select * from measured
