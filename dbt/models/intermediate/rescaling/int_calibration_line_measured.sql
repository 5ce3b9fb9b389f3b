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
fits as (
    select
        subject_no,
        rescaler,
        slope,
        intercept,
    from {{ ref('int_calibration_fit_chosen') }}
    where
        rescaler in ('platt', 'temperature')
        and fold is null
        and null_reason is null
        and coalesce(flag, '') not in ('one_class', 'constant_score')
),

-- Platt's targets lie a little inside 0 and 1; the temperature is fitted to the labels
targets as (
    select
        pairs.subject_no,
        avg(pairs.x) as mean_x,
        (sum(if(pairs.y, pairs.w, 0.0)) + 1) / (sum(if(pairs.y, pairs.w, 0.0)) + 2) as above,
        1 / (sum(if(pairs.y, 0.0, pairs.w)) + 2) as below,
    from pairs
    semi join fits on pairs.subject_no = fits.subject_no
    group by pairs.subject_no
),

lines as (
    select
        fits.subject_no,
        fits.rescaler,
        fits.slope,
        fits.intercept,
        if(fits.rescaler = 'platt', targets.mean_x, 0.0) as centre,
        if(fits.rescaler = 'platt', targets.above, 1.0) as above,
        if(fits.rescaler = 'platt', targets.below, 0.0) as below,
    from fits
    inner join targets on fits.subject_no = targets.subject_no
),

shares as (
    select
        pairs.subject_no,
        lines.rescaler,
        pairs.problem_no,
        pairs.x - lines.centre as u,
        pairs.w,
        {{ sigmoid('lines.slope * pairs.x + lines.intercept') }} as share,
        if(pairs.y, lines.above, lines.below) as target,
    from pairs
    inner join lines on pairs.subject_no = lines.subject_no
),

-- what the rows of a problem pull at intercept and slope, and how stiff the likelihood is
problems as (
    select
        subject_no,
        rescaler,
        problem_no,
        sum(w * (target - share)) as pull,
        sum(w * (target - share) * u) as pull_u,
        sum(w * share * (1 - share)) as bend,
        sum(w * share * (1 - share) * u) as bend_u,
        sum(w * share * (1 - share) * u * u) as bend_uu,
    from shares
    group by all
),

totals as (
    select
        subject_no,
        rescaler,
        count(*) as n_problems,
        sum(bend) as h,
        sum(bend_u) as h_u,
        sum(bend_uu) as h_uu,
        sum(bend) * sum(bend_uu) - sum(bend_u) * sum(bend_u) as size,
        sum(pull * pull) * count(*) / nullif(count(*) - 1, 0) as m,
        sum(pull * pull_u) * count(*) / nullif(count(*) - 1, 0) as m_u,
        sum(pull_u * pull_u) * count(*) / nullif(count(*) - 1, 0) as m_uu,
    from problems
    group by all
),

-- the inverse of the bend around the pulls, on both sides
spreads as (
    select
        subject_no,
        rescaler,
        n_problems,
        case rescaler
            when 'temperature' then m_uu / nullif(h_uu * h_uu, 0)
            else (h * h * m_uu - 2 * h * h_u * m_u + h_u * h_u * m) / nullif(size * size, 0)
        end as slope_variance,
        (h_u * h_u * m_uu - 2 * h_u * h_uu * m_u + h_uu * h_uu * m) / nullif(size * size, 0)
            as level_variance,
        ((h * h_uu + h_u * h_u) * m_u - h * h_u * m_uu - h_u * h_uu * m) / nullif(size * size, 0)
            as covariance,
    from totals
),

-- the intercept is the level at the centre, taken back to a logit of 0
variances as (
    select
        lines.subject_no,
        lines.rescaler,
        spreads.n_problems,
        spreads.slope_variance,
        spreads.level_variance
        - 2 * lines.centre * spreads.covariance
        + lines.centre * lines.centre * spreads.slope_variance as intercept_variance,
    from lines
    inner join spreads
        on
            lines.subject_no = spreads.subject_no
            and lines.rescaler = spreads.rescaler
),

measured as (
    select
        subject_no,
        rescaler,
        n_problems,
        -- rounding may leave less than nothing
        sqrt(if(slope_variance < 0, 0.0, slope_variance)) as slope_se,
        if(
            rescaler = 'platt',
            sqrt(if(intercept_variance < 0, 0.0, intercept_variance)),
            null
        ) as intercept_se,
    from variances
)

select * from measured
