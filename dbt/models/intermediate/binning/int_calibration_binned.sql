with levels as (
    select *
    from {{ ref('int_calibration_level') }}
),

binned as (
    select
        subject_no,
        {{ calibration_bin('p') }} as bin,
        {{ calibration_level_sums() }}
        -sum(
            wy * ln(greatest(least(p, 1 - 1e-6), 1e-6))
            + wn * ln(1 - greatest(least(p, 1 - 1e-6), 1e-6))
        ) as w_log_loss,
    from levels
    group by all
)

select * from binned
