with pairs as (
    select *
    from {{ ref('int_calibration_pair') }}
),

subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
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

-- the lowest score of each cell
cells_begun as (
    select
        pairs.subject_no,
        {{ calibration_cell('pairs', 'subjects') }} as cell,
        min(pairs.p) as x,
    from pairs
    inner join subjects on pairs.subject_no = subjects.subject_no
    semi join fits on pairs.subject_no = fits.subject_no
    group by all
),

-- rows of one score may lie in several cells; only the last of these can have higher scores too
cells as (
    select
        subject_no,
        x,
        max(cell) as cell,
    from cells_begun
    group by all
),

-- a curve is level before its first point and after its last
points as (
    select
        subject_no,
        fold_seed,
        fold,
        unnest(steps_x) as x,
        unnest(steps_y) as level,
    from fits
    union all
    select
        subject_no,
        fold_seed,
        fold,
        -1.0 as x,
        steps_y[1] as level,
    from fits
),

points_placed as (
    select
        points.subject_no,
        points.fold_seed,
        points.fold,
        points.x,
        points.level,
        coalesce(cells.cell, 0) as cell,
    from points
    asof left join cells
        on
            points.subject_no = cells.subject_no
            and points.x > cells.x
),

-- a curve from one of its points to the next
pieces as (
    select
        subject_no,
        fold_seed,
        fold,
        cell,
        lead(cell, 1, {{ calibration_cells() - 1 }}) over curve as last_cell,
        x,
        lead(x, 1, 2.0) over curve as next_x,
        level,
        coalesce((lead(level) over curve - level) / (lead(x) over curve - x), 0.0) as slope,
    from points_placed
    window curve as (partition by subject_no, fold_seed, fold order by x)
),

pieces_in_cells as (
    select
        subject_no,
        fold_seed,
        fold,
        unnest(range(cell, last_cell + 1)) as cell,
        x,
        next_x,
        level,
        slope,
    from pieces
),

placed as (
    select
        {{ calibration_piece('subject_no', 'cell', 'fold_seed', 'fold') }} as piece_no,
        x,
        next_x,
        level,
        slope,
    from pieces_in_cells
)

select * from placed
