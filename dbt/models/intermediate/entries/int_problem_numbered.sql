with problems as (
    select *
    from {{ ref('stg_problem') }}
),

releases as (
    select *
    from {{ ref('stg_dataset_release') }}
),

admissions as (
    select *
    from {{ ref('stg_admission') }}
),

runs as (
    select
        run_id,
        started_at,
    from {{ ref('stg_run') }}
),

errata as (
    select *
    from {{ ref('errata') }}
    where exclude
),

-- one admission for each problem: under the calibrated policy if there is one, then the newest
admissions_preferred as (
    select
        admissions.problem_id,
        admissions.mode,
    from admissions
    inner join runs on admissions.run_id = runs.run_id
    qualify row_number() over (
        partition by admissions.problem_id
        order by
            admissions.policy = 'calibrated' desc,
            runs.started_at desc,
            admissions.admission_id desc
    ) = 1
),

releases_dated as (
    select
        releases.release_id,
        releases.version as dataset_version,
        row_number() over (
            order by runs.started_at asc, releases.release_id desc
        ) as release_no,
    from releases
    inner join runs on releases.run_id = runs.run_id
),

numbered as (
    select
        row_number() over (
            order by
                releases_dated.release_no,
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
        releases_dated.release_no,
        problems.release_id,
        releases_dated.dataset_version,
        case
            when errata.task_id is not null then 'errata'
            when admissions_preferred.mode = 'rejected' then 'reference_fails'
        end as set_aside,
    from problems
    inner join releases_dated on problems.release_id = releases_dated.release_id
    left join admissions_preferred on problems.problem_id = admissions_preferred.problem_id
    -- a line of a function is set aside with the function
    left join errata
        on
            regexp_replace(problems.dataset, '-lines$', '') = errata.dataset
            and problems.task_id = errata.task_id
)

select * from numbered
