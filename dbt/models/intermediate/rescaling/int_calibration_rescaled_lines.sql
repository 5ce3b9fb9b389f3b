with pairs as (
    select *
    from {{ ref('int_calibration_pair') }}
),

subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where version = 2
),

folds as (
    select *
    from {{ ref('int_calibration_fold_placed') }}
),

fits as (
    select *
    from {{ ref('int_calibration_fit_chosen') }}
    where
        rescaler in ('platt', 'temperature')
        and fold is not null
        and null_reason is null
),

-- the curves that did not see a problem: one for each rescaler and seed
lines as (
    select
        fits.subject_no,
        folds.problem_no,
        fits.slope,
        fits.intercept,
        -- one number for rescaler and seed, because groups of numbers are found fast
        cast(
            2 * (fits.subject_no * {{ var('max_fold_seeds') }} + folds.fold_seed)
            + (fits.rescaler = 'temperature')::integer
            as integer
        ) as curve_no,
    from folds
    inner join subjects on folds.split_no = subjects.split_no
    inner join fits
        on
            subjects.subject_no = fits.subject_no
            and folds.fold_seed = fits.fold_seed
            and folds.fold = fits.fold
),

rescaled as (
    select
        lines.curve_no,
        {{ sigmoid('lines.slope * pairs.x + lines.intercept') }} as p,
        pairs.y,
        pairs.w,
    from pairs
    inner join lines
        on
            pairs.subject_no = lines.subject_no
            and pairs.problem_no = lines.problem_no
),

tallied as (
    select
        curve_no * 10 + {{ calibration_bin('p') }} as cell_no,
        {{ calibration_sums() }}
    from rescaled
    group by all
)

select * from tallied
