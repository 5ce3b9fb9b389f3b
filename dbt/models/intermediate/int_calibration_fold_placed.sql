with subjects as (
    select
        subject_no,
        split_key,
    from {{ ref('int_calibration_subject') }}
    where
        version = 2
        and n_used > 0
),

splits as (
    select
        split_key,
        problem_id,
        folds,
        fold_id,
    from {{ ref('stg_calibration_fold') }}
),

problems as (
    select
        problem_id,
        problem_no,
    from {{ ref('int_problem_numbered') }}
),

splits_wanted as (
    select
        splits.split_key,
        problems.problem_no,
        splits.folds,
    from splits
    inner join problems on splits.problem_id = problems.problem_id
    semi join subjects on splits.split_key = subjects.split_key
    qualify row_number() over (
        partition by splits.split_key, splits.problem_id
        order by splits.fold_id desc
    ) = 1
),

folds as (
    select
        split_key,
        problem_no,
        unnest(range(len(folds))) as fold_seed,
        unnest(folds) as fold,
    from splits_wanted
),

placed as (
    select
        subjects.subject_no,
        cast(folds.problem_no as integer) as problem_no,
        cast(folds.fold_seed as integer) as fold_seed,
        folds.fold,
    from subjects
    inner join folds on subjects.split_key = folds.split_key
)

select * from placed
