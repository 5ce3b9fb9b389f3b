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

-- one sort for all sums of a bin
gathered as (
    select
        subject_no,
        bin,
        count(*) as n_problems,
        list(struct_pack(w := w, wy := wy) order by problem_no) as problems,
    from problem_sums
    group by subject_no, bin
),

bin_sums as (
    select
        gathered.subject_no,
        gathered.bin,
        gathered.n_problems,
        list_sum(list_transform(gathered.problems, lambda a: a.w)) as w,
        list_sum(list_transform(gathered.problems, lambda a: a.w * a.w)) as ww,
        list_sum(list_transform(gathered.problems, lambda a: a.wy)) as wy,
        list_sum(list_transform(gathered.problems, lambda a: a.wy * a.wy)) as wywy,
        list_sum(list_transform(gathered.problems, lambda a: a.w * a.wy)) as wwy,
        list_sum(list_transform(gathered.problems, lambda a: a.wy * a.wy * a.wy)) as wywywy,
        list_sum(list_transform(gathered.problems, lambda a: a.w * a.wy * a.wy)) as wwywy,
        list_sum(list_transform(gathered.problems, lambda a: a.w * a.w * a.wy)) as wwwy,
        list_sum(list_transform(gathered.problems, lambda a: a.w * a.w * a.w)) as www,
    from gathered
),

-- the sums of squares and of cubes of wy - rate * w over problems
residuals as (
    select
        *,
        wywy - 2 * wy / w * wwy + wy / w * wy / w * ww as residual,
        wywywy - 3 * wy / w * wwywy + 3 * pow(wy / w, 2) * wwwy - pow(wy / w, 3) * www as cubes,
    from bin_sums
),

-- the same over the square of the bin's weight; where problems agree, only rounding is left of it
spread as (
    select
        subject_no,
        bin,
        n_problems,
        w * w / ww as n_effective,
        if(residual < 1e-12 * wywy, 0, residual / (w * w)) as square,
        cubes / (w * w * w) as cube,
    from residuals
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
        -- the third central moment of these terms
        cube * n_problems * n_problems as problem_cube,
    from spread
)

select * from clustered
