with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where
        version = 1
        and n_used > 0
),

pairs as (
    select *
    from {{ ref('int_calibration_pair') }}
),

orders as (
    select *
    from {{ ref('stg_kfold_order') }}
    qualify row_number() over (partition by n_rows, seed order by order_id desc) = 1
),

fits as (
    select *
    from {{ ref('int_calibration_fit_chosen') }}
    where
        rescaler = 'platt'
        and fold is not null
        and null_reason is null
),

-- a fold for each place in the order of scores
places as (
    select
        n_rows,
        seed,
        unnest(folds) as fold,
        unnest(range(1, n_rows + 1)) as position,
    from orders
),

-- left joins keep this order; with inner joins the planner first gave each subject all places
rescaled as (
    select
        pairs.subject_no,
        fits.fold_seed,
        {{ sigmoid('fits.slope * pairs.x + fits.intercept') }} as p,
        pairs.y,
        pairs.w,
    from pairs
    inner join subjects on pairs.subject_no = subjects.subject_no
    left join places
        on
            subjects.n_used = places.n_rows
            and pairs.position = places.position
    left join fits
        on
            pairs.subject_no = fits.subject_no
            and places.seed = fits.fold_seed
            and places.fold = fits.fold
),

binned as (
    select
        subject_no,
        'platt' as rescaler,
        fold_seed,
        {{ calibration_bin('p') }} as bin,
        {{ calibration_sums() }}
    from rescaled
    group by subject_no, fold_seed, bin
    -- leaves out rows without a curve; a filter before the sums would change the order of joins
    having count(p) > 0
)

select * from binned
