{% set seeds = var('max_fold_seeds') %}

with pairs as (
    select
        subject_no,
        problem_no,
        p,
        y,
        w,
    from {{ ref('int_calibration_pair') }}
),

folds as (
    select
        subject_no,
        problem_no,
        fold_seed,
        fold,
    from {{ ref('int_calibration_fold_placed') }}
),

fits as (
    select
        subject_no,
        fold_seed,
        fold,
        steps_x,
        steps_y,
    from {{ ref('int_calibration_fit_chosen') }}
    where
        rescaler = 'isotonic'
        and fold is not null
        and null_reason is null
),

pairs_fitted as (
    select
        pairs.subject_no,
        pairs.problem_no,
        pairs.p,
        pairs.y,
        pairs.w,
    from pairs
    semi join fits on pairs.subject_no = fits.subject_no
),

steps as (
    select
        subject_no,
        fold_seed,
        fold,
        unnest(steps_x) as x,
        unnest(steps_y) as level,
    from fits
),

-- a curve from one of its points to the next; level before the first and after the last
pieces as (
    select
        subject_no,
        fold_seed,
        fold,
        x,
        level,
        coalesce(
            (lead(level) over (partition by subject_no, fold_seed, fold order by x) - level)
            / (lead(x) over (partition by subject_no, fold_seed, fold order by x) - x),
            0.0
        ) as slope,
    from steps
    union all
    select
        subject_no,
        fold_seed,
        fold,
        -1.0 as x,
        steps_y[1] as level,
        0.0 as slope,
    from fits
),

-- between two neighbouring points of any of a subject's curves, all of its curves are straight
stretches as (
    select
        subject_no,
        x,
        row_number() over (order by subject_no, x) as stretch,
    from pieces
    group by subject_no, x
),

curves as (
    select
        stretches.subject_no,
        stretches.stretch,
        stretches.x,
        fits.fold_seed,
        fits.fold,
    from stretches
    inner join fits on stretches.subject_no = fits.subject_no
),

-- one number for stretch, seed and fold, because a join on one number is fast
curves_known as (
    select
        (curves.stretch * {{ seeds }} + curves.fold_seed) * 5 + curves.fold as piece_no,
        pieces.x,
        pieces.level,
        pieces.slope,
    from curves
    asof inner join pieces
        on
            curves.subject_no = pieces.subject_no
            and curves.fold_seed = pieces.fold_seed
            and curves.fold = pieces.fold
            and curves.x >= pieces.x
),

pairs_placed as (
    select
        pairs_fitted.subject_no,
        pairs_fitted.problem_no,
        stretches.stretch * {{ seeds }} as stretch,
        pairs_fitted.p,
        pairs_fitted.y,
        pairs_fitted.w,
    from pairs_fitted
    asof inner join stretches
        on
            pairs_fitted.subject_no = stretches.subject_no
            and pairs_fitted.p >= stretches.x
),

-- from the left, because the planner would first pair rows with the curves of all folds
rescaled as (
    select
        pairs_placed.subject_no * {{ seeds }} + folds.fold_seed as curve_no,
        curves_known.level + curves_known.slope * (pairs_placed.p - curves_known.x) as p,
        pairs_placed.y,
        pairs_placed.w,
    from pairs_placed
    inner join folds
        on
            pairs_placed.subject_no = folds.subject_no
            and pairs_placed.problem_no = folds.problem_no
    left join curves_known
        on (pairs_placed.stretch + folds.fold_seed) * 5 + folds.fold = curves_known.piece_no
),

tallied as (
    select
        curve_no * 10 + {{ calibration_bin('p') }} as cell_no,
        {{ calibration_sums() }}
    from rescaled
    group by all
    -- rows without a curve; a filter before the sums would turn the join round again
    having count(p) > 0
)

select * from tallied
