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

-- from the left, because the planner would first give each subject all places
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
    -- rows without a curve; a filter before the sums would turn the join round again
    having count(p) > 0
)

select * from binned
