with entries as (
    select release_no from {{ ref('int_entry_numbered') }}
    union
    select release_no from {{ ref('int_counterfactual_entry_numbered') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

releases_answered as (
    select distinct
        problems.release_no,
        problems.n_dataset,
    from problems
    semi join entries on problems.release_no = entries.release_no
)

select * from releases_answered
