with pairs as (
    select
        subject_no,
        problem_no,
        p,
        y,
        w,
    from {{ ref('int_calibration_pair') }}
),

problem_sums as (
    select
        subject_no,
        {{ calibration_bin('p') }} as bin,
        problem_no,
        sum(w) as w,
        sum(if(y, w, 0.0)) as wy,
    from pairs
    group by all
),

bin_sums as (
    select
        subject_no,
        bin,
        count(*) as n_problems,
        sum(w order by problem_no) as w,
        sum(w * w order by problem_no) as ww,
        sum(wy order by problem_no) as wy,
        sum(wy * wy order by problem_no) as wywy,
        sum(w * wy order by problem_no) as wwy,
    from problem_sums
    group by subject_no, bin
),

-- the sum of squares of wy - rate * w over problems, over the square of the bin's weight
spread as (
    select
        subject_no,
        bin,
        n_problems,
        w * w / ww as n_effective,
        greatest(wywy - 2 * wy / w * wwy + wy / w * wy / w * ww, 0) / (w * w) as square,
    from bin_sums
),

clustered as (
    select
        subject_no,
        bin,
        n_problems,
        n_effective,
        if(n_effective < 2 - 1e-9, null, square / (1 - 1 / n_effective)) as rate_variance,
        -- of one problem's term; the mean of n terms has a variance of 1 / n of it
        square * n_problems * n_problems / nullif(n_problems - 1, 0) as problem_variance,
    from spread
)

select * from clustered
