{% set measures = calibration_measures() %}

with scored as (
    select
        group_no,
        generation_no,
        problem_no,
        y_v1,
        y_v2,
        label_null_reason,
        {{ listed(calibration_columns()) }}
        verbalized_base_rate,
        {% for version, measure, _, _, _ in measures if version == 2 %}
        {{ measure }}_weight,
        {% endfor %}
    from {{ ref('int_calibration_scored') }}
),

stacked as (
    {% for version, measure, score, log_score, reason in measures %}
    {{ 'union all' if not loop.first }}
    select
        (group_no - 1) * {{ measures | length }} + {{ loop.index }} as subject_no,
        generation_no,
        problem_no,
        {{ twelve_digits(score) }} as p,
        {% if version == 1 %}
        {{ logit_clipped(score) }} as x,
        {% elif log_score %}
        {{ logit_of_log(log_score) }} as x,
        {% else %}
        {{ logit_of_log('ln(if(' ~ score ~ ' = 0, 1e-6, ' ~ score ~ '))') }} as x,
        {% endif %}
        y_v{{ version }} as y,
        {{ 'cast(1 as double)' if version == 1 else measure ~ '_weight' }} as w,
    from scored
    where
        label_null_reason is null
        and {{ score }} is not null
    {% endfor %}
),

placed as (
    select
        cast(subject_no as integer) as subject_no,
        problem_no,
        cast(
            row_number() over (
                partition by subject_no
                order by p, generation_no, problem_no
            ) as integer
        ) as position,
        p,
        x,
        y,
        w,
    from stacked
)

select * from placed
