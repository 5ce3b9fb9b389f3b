{% set intervals = calibration_intervals() + ['smooth_ece'] %}
{% set reasoned = intervals + ['ece_debiased_l1', 'calibration_p'] %}
{% set values = [
    'smooth_ece', 'smooth_ece_width', 'ece_debiased_l1', 'ece_noise_floor', 'calibration_p',
] %}

with estimates as (
    select *
    from {{ ref('stg_estimate') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
),

-- estimates of other scores or labels are stale; of two that are not, the newer counts
newest as (
    select
        subjects.subject_no,
        estimates.rescaler,
        estimates.statistic,
        estimates.value,
        estimates.low,
        estimates.high,
        estimates.null_reason,
        estimates.n_replicates,
        estimates.seed,
        estimates.method,
    from subjects
    inner join estimates
        on
            subjects.subject_key = estimates.subject_key
            and subjects.input_key = estimates.input_key
    inner join runs on estimates.run_id = runs.run_id
    qualify row_number() over (
        partition by subjects.subject_no, estimates.rescaler, estimates.statistic
        order by runs.started_at desc, estimates.estimate_id desc
    ) = 1
),

side_by_side as (
    select
        subject_no,
        rescaler,
        {% for statistic in intervals %}
        any_value(low) filter (statistic = '{{ statistic }}') as {{ statistic }}_lo,
        any_value(high) filter (statistic = '{{ statistic }}') as {{ statistic }}_hi,
        {% endfor %}
        {% for statistic in reasoned %}
        any_value(null_reason) filter (statistic = '{{ statistic }}')
            as {{ statistic }}_null_reason,
        {% endfor %}
        {% for statistic in values %}
        any_value(value) filter (statistic = '{{ statistic }}') as {{ statistic }},
        {% endfor %}
        any_value(method) filter (statistic = 'ece') as interval_method,
        any_value(n_replicates) filter (statistic = 'ece') as n_replicates,
        any_value(seed) filter (statistic = 'ece') as seed,
    from newest
    group by all
)

select * from side_by_side
