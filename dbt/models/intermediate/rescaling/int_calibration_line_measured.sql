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
        sum(w * (y::double - share) * x) as pull,
        sum(w * share * (1 - share) * x * x) as bend,
    from shares
    group by all
),

measured as (
    select
        subject_no,
        count(*) as n_problems,
        least(count(*) filter (has_right), count(*) filter (has_wrong)) as n_of_a_class,
        -- the inverse of the bend around the pulls, on both sides
        sqrt(sum(pull * pull) * count(*) / nullif(count(*) - 1, 0)) / nullif(sum(bend), 0)
            as slope_se,
    from problems
    group by subject_no
)

select * from measured
