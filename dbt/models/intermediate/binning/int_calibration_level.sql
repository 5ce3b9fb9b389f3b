with pairs as (
    select
        subject_no,
        p,
        y,
        w,
    from {{ ref('int_calibration_pair') }}
),

{{ score_levels() }}

select * from levels
