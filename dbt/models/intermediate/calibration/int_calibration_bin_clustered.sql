with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where version = 2
),

pairs as (
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
        pairs.subject_no,
        {{ calibration_bin('pairs.p') }} as bin,
        pairs.problem_no,
        sum(pairs.w) as w,
        sum(if(pairs.y, pairs.w, 0.0)) as wy,
    from pairs
    semi join subjects on pairs.subject_no = subjects.subject_no
    group by all
),

bin_sums as (
    select
        subject_no,
        bin,
        sum(w order by problem_no) as w,
        sum(w * w order by problem_no) as ww,
        sum(wy order by problem_no) as wy,
        sum(wy * wy order by problem_no) as wywy,
        sum(w * wy order by problem_no) as wwy,
    from problem_sums
    group by subject_no, bin
),

-- the sum of squares of wy - rate * w over problems, divided by its degrees of freedom
clustered as (
    select
        subject_no,
        bin,
        w * w / ww as n_effective,
        if(
            w * w / ww < 2 - 1e-9,
            null,
            greatest(wywy - 2 * wy / w * wwy + wy / w * wy / w * ww, 0) / (w * w)
            / (1 - ww / (w * w))
        ) as rate_variance,
    from bin_sums
)

select * from clustered
