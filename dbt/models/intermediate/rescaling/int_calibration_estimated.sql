{% set intervals = calibration_intervals() + ['smooth_ece'] %}
{% set reasoned = intervals + ['ece_debiased_l1', 'calibration_p'] %}
{% set values = [
    'smooth_ece', 'smooth_ece_width', 'ece_debiased_l1', 'ece_noise_floor', 'calibration_p',
] %}

with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
),

{{ newest_estimates() }},

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
