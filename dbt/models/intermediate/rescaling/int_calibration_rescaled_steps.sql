{% set seeds = var('max_fold_seeds') %}

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

pieces as (
    select *
    from {{ ref('int_calibration_curve_placed') }}
),

-- from the left, because the planner would first pair rows with the curves of all folds
rescaled as (
    select
        pairs.subject_no * {{ seeds }} + folds.fold_seed as curve_no,
        pieces.level + pieces.slope * (pairs.p - pieces.x) as p,
        pairs.y,
        pairs.w,
    from pairs
    inner join subjects on pairs.subject_no = subjects.subject_no
    inner join folds
        on
            subjects.split_no = folds.split_no
            and pairs.problem_no = folds.problem_no
    left join pieces
        on
            {{ calibration_piece(
                'pairs.subject_no', calibration_cell('pairs', 'subjects'), 'folds.fold_seed', 'folds.fold'
            ) }} = pieces.piece_no
            and pairs.p >= pieces.x
            and pairs.p < pieces.next_x
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
