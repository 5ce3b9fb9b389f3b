with pairs as (
    select
        subject_no,
        problem_no,
        x,
        y,
        w,
    from {{ ref('int_calibration_pair') }}
),

-- a curve through one class or one score is a constant: its slope is no estimate
temperatures as (
    select
        subject_no,
        slope,
    from {{ ref('int_calibration_fit_chosen') }}
    where
        rescaler = 'temperature'
        and fold is null
        and null_reason is null
        and coalesce(flag, '') not in ('one_class', 'constant_score')
),

shares as (
    select
        pairs.subject_no,
        pairs.problem_no,
        pairs.x,
        pairs.y,
        pairs.w,
        {{ sigmoid('temperatures.slope * pairs.x') }} as share,
    from pairs
    inner join temperatures on pairs.subject_no = temperatures.subject_no
),

-- what the rows of a problem pull at the slope, and how stiff the likelihood is
problems as (
    select
        subject_no,
        problem_no,
        bool_or(y) as has_right,
        bool_or(not y) as has_wrong,
        sum(w) as weight,
        sum(if(y, w, 0.0)) as weight_right,
        sum(w * (y::double - share) * x) as pull,
        sum(w * share * (1 - share) * x * x) as bend,
    from shares
    group by all
),

sums as (
    select
        subject_no,
        count(*) as n_problems,
        least(count(*) filter (has_right), count(*) filter (has_wrong)) as n_of_a_class,
        sum(bend) as bend,
        sum(pull * pull) as squares,
        sum(pow(pull, 4)) as fourths,
        sum(weight) as weight,
        sum(weight_right) as weight_right,
        sum(weight * weight) as ww,
        sum(weight * weight_right) as wr,
        sum(weight_right * weight_right) as rr,
    from problems
    group by subject_no
),

rates as (
    select
        *,
        weight_right / weight as rate,
        n_problems / nullif(n_problems - 1, 0) as correction,
        -- as many problems with equally many answers of the class say as much
        least(
            pow(weight_right, 2) / nullif(rr, 0),
            pow(weight - weight_right, 2) / nullif(ww - 2 * wr + rr, 0)
        ) as effective_problems,
        -- a normal sample of so many degrees of freedom has as uncertain a variance
        2 * n_problems / greatest(n_problems * fourths / nullif(squares * squares, 0) - 1, 1e-9)
            as degrees_by_kurtosis,
    from sums
),

-- answers of a problem that agree count as one: then the rarer class limits less (decision 7)
degrees as (
    select
        *,
        greatest(least(degrees_by_kurtosis, n_problems - 1), 1) as degrees_single,
        greatest(least(degrees_by_kurtosis, n_problems - 1, effective_problems - 1), 1)
            as degrees_several,
        4 * rate * (1 - rate) * greatest(0, 1 - 10 * (1 - least(
            1,
            (rr - 2 * rate * wr + rate * rate * ww) * n_problems * correction
            / (weight * weight) / nullif(rate * (1 - rate), 0)
        ))) as single,
    from rates
),

measured as (
    select
        subject_no,
        n_problems,
        n_of_a_class,
        -- the inverse of the bend around the pulls, on both sides
        sqrt(squares * correction) / nullif(bend, 0)
        * (
            single * {{ t_quantile_between('degrees_single') }}
            + (1 - single) * {{ t_quantile_between('degrees_several') }}
        ) as slope_half_width,
    from degrees
)

select * from measured
