with fits as (
    select *
    from {{ ref('stg_calibration_fit') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
),

-- fits of other scores or labels are stale; of two that fit, the newer counts. The number of splits
-- follows from that of rows, however many are stored
newest as (
    select
        subjects.subject_no,
        fits.rescaler,
        fits.fold_seed,
        fits.fold,
        fits.slope,
        fits.intercept,
        fits.steps_x,
        fits.steps_y,
        fits.flag,
        fits.null_reason,
    from subjects
    inner join fits
        on
            subjects.subject_key = fits.subject_key
            and subjects.input_key = fits.input_key
    inner join runs on fits.run_id = runs.run_id
    where
        subjects.version = 1
        or fits.fold_seed is null
        or fits.fold_seed < {{ calibration_splits('subjects.n_used') }}
    qualify row_number() over (
        partition by subjects.subject_no, fits.rescaler, fits.fold_seed, fits.fold
        order by runs.started_at desc, fits.fit_id desc
    ) = 1
),

counted as (
    select
        *,
        count(*) filter (rescaler = 'platt' and fold is not null)
            over (partition by subject_no) as n_of_platt,
        count(*) filter (rescaler = 'isotonic' and fold is not null)
            over (partition by subject_no) as n_of_isotonic,
    from newest
),

-- isotonic curves that some of the splits lack, for want of rows, count for none of them
chosen as (
    select * exclude (n_of_platt, n_of_isotonic)
    from counted
    where rescaler <> 'isotonic' or fold is null or n_of_isotonic = n_of_platt
)

select * from chosen
