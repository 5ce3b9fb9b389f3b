{#- The metrics of raw scores; version 2 has decompositions and estimates that the paper has not. -#}
{% macro calibration_raw(version) %}
with measured as (
    select *
    from {{ ref('int_calibration_measured') }}
    where version = {{ version }}
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

estimates as (
    select *
    from {{ ref('int_calibration_estimated') }}
    where rescaler = 'none'
),

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        {% if version == 1 %}
        {{ paper_departures('label_groups', 'measured.measure') }} as paper_departures,
        {% endif %}
        measured.measure,
        {{ listed_with_intervals(calibration_intervals(), 'measured', 'estimates') }}
        {{ interval_reasons(calibration_intervals(), 'measured', 'estimates') }}
        measured.brier_reference,
        {% if version == 2 %}
        measured.reliability as murphy_reliability,
        measured.resolution as murphy_resolution,
        measured.brier_reference as murphy_uncertainty,
        measured.within_variance as murphy_within_variance,
        measured.within_covariance as murphy_within_covariance,
        measured.corp_miscalibration,
        measured.corp_discrimination,
        measured.brier_reference as corp_uncertainty,
        {{ calibration_estimates() }}
        sqrt(greatest(measured.calibration_error_square, 0.0)) as ece_debiased_l2,
        measured.calibration_error_square,
        measured.ece_quantile,
        measured.log_loss,
        {% endif %}
        case
            when measured.n_used = 0 then 'empty'
            when
                measured.measure != 'unskilled'
                and measured.n_positive in (0, measured.n_used)
                then 'single_class'
        end as null_reason,
        cast(measured.n_bins as bigint) as n_bins,
        {{ calibration_counts() }}
        'calibration_raw_v{{ version }}' as view_version,
    from measured
    inner join label_groups on measured.group_no = label_groups.group_no
    left join estimates on measured.subject_no = estimates.subject_no
)

select * from published
{% endmacro %}
