with problems as (
    select *
    from {{ ref('stg_problem') }}
),

releases as (
    select *
    from {{ ref('stg_dataset_release') }}
),

releases_ordered as (
    select *
    from {{ source('facts', 'release_ordered') }}
),

rejected as (
    select *
    from {{ source('facts', 'problem_rejected') }}
),

errata as (
    select *
    from {{ ref('errata') }}
    where exclude
),

releases_numbered as (
    select
        releases_ordered.release_id,
        releases.version as dataset_version,
        releases_ordered.release_no,
    from releases_ordered
    inner join releases on releases_ordered.release_id = releases.release_id
),

numbered as (
    select
        row_number() over (
            order by
                releases_numbered.release_no,
                problems.position,
                problems.problem_id
        ) as problem_no,
        row_number() over (
            partition by problems.release_id
            order by problems.position, problems.problem_id
        ) as problem_index,
        count(*) over (partition by problems.release_id) as n_dataset,
        problems.problem_id,
        problems.dataset,
        problems.task_id,
        releases_numbered.release_no,
        problems.release_id,
        releases_numbered.dataset_version,
        case
            when errata.task_id is not null then 'errata'
            when rejected.problem_id is not null then 'reference_fails'
        end as set_aside,
    from problems
    inner join releases_numbered on problems.release_id = releases_numbered.release_id
    left join rejected on problems.problem_id = rejected.problem_id
    -- a line of a function is set aside with the function
    left join errata
        on
            regexp_replace(problems.dataset, '-lines$', '') = errata.dataset
            and problems.task_id = errata.task_id
)

select * from numbered
