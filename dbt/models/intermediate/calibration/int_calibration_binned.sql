with pairs as (
    select *
    from {{ ref('int_calibration_pair') }}
),

binned as (
    select
        subject_no,
        {{ calibration_bin('p') }} as bin,
        {{ calibration_sums() }}
        -sum(
            w * ln(
                if(y, greatest(least(p, 1 - 1e-6), 1e-6), 1 - greatest(least(p, 1 - 1e-6), 1e-6))
            )
        ) as w_log_loss,
    from pairs
    group by all
)

select * from binned
