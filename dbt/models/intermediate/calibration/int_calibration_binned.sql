with pairs as (
    select *
    from {{ ref('int_calibration_pair') }}
),

-- w_noise: the variance each right or wrong answer would bring, were its score exactly right
binned as (
    select
        subject_no,
        {{ calibration_bin('p') }} as bin,
        {{ calibration_sums() }}
        sum(w * w * p * (1 - p)) as w_noise,
        -sum(
            w * ln(
                if(y, greatest(least(p, 1 - 1e-6), 1e-6), 1 - greatest(least(p, 1 - 1e-6), 1e-6))
            )
        ) as w_log_loss,
    from pairs
    group by all
)

select * from binned
