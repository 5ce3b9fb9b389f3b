with canaries as (
    select *
    from {{ ref('stg_canary') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

numbered as (
    select
        problems.release_no,
        cast(
            dense_rank() over (
                partition by problems.release_no
                order by runs.started_at, canaries.run_id
            ) as integer
        ) as night_no,
        canaries.run_id,
        runs.started_at,
        problems.problem_index,
        canaries.verdict,
        canaries.cpu_s,
    from canaries
    inner join runs on canaries.run_id = runs.run_id
    inner join problems on canaries.problem_id = problems.problem_id
    where problems.set_aside is null
),

compared as (
    select
        *,
        lag(verdict) over (
            partition by release_no, problem_index
            order by night_no
        ) as verdict_before,
    from numbered
    qualify max(night_no) over (partition by release_no) > 1
)

select * from compared
