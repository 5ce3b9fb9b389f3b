with subjects as (
    select
        split_no,
        split_key,
        max({{ calibration_splits('n_used') }}) as n_splits,
    from {{ ref('int_calibration_subject') }}
    where
        version = 2
        and n_used > 0
    group by split_no, split_key
),

splits as (
    select *
    from {{ ref('stg_calibration_fold') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

splits_wanted as (
    select
        subjects.split_no,
        problems.problem_no,
        -- more splits are stored than rescaled scores are averaged over
        splits.folds[:subjects.n_splits] as folds,
    from splits
    inner join problems on splits.problem_id = problems.problem_id
    inner join subjects on splits.split_key = subjects.split_key
    qualify row_number() over (
        partition by splits.split_key, splits.problem_id
        order by
            len(splits.folds) desc,
            splits.fold_id desc
    ) = 1
),

placed as (
    select
        split_no,
        cast(problem_no as integer) as problem_no,
        cast(unnest(range(len(folds))) as integer) as fold_seed,
        unnest(folds) as fold,
    from splits_wanted
)

select * from placed
