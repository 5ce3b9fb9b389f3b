-- One row per release of a dataset or project that these rows are of, with its hash.
with why_inputs as (
    {{ rows }}
),

of_datasets as (
    select
        releases.dataset as name,
        releases.version,
        releases.release_id as id,
        releases.sha256,
        releases.source,
        releases.license,
        count(distinct problems.problem_id) as n_problems_used,
        any_value(releases.n_problems) as n_problems
    from why_inputs as inputs
    inner join raw.problem as problems on inputs.problem_id = problems.problem_id
    inner join raw.dataset_release as releases on problems.release_id = releases.release_id
    group by all
),

projects_used as (
    select project_problems.project_release_id
    from raw.project_problem as project_problems
    semi join why_inputs as inputs on project_problems.problem_id = inputs.problem_id
    union
    select suite_runs.project_release_id
    from raw.suite_run as suite_runs
    semi join why_inputs as inputs on suite_runs.suite_run_id = inputs.id
    union
    select functions.project_release_id
    from raw.project_function as functions
    semi join why_inputs as inputs on functions.project_function_id = inputs.id
),

of_projects as (
    select
        releases.project as name,
        releases.version,
        releases.project_release_id as id,
        releases.sha256,
        releases.source,
        releases.license
    from raw.project_release as releases
    semi join projects_used on releases.project_release_id = projects_used.project_release_id
),

stacked as (
    select * from of_datasets
    union all by name
    select * from of_projects
)

select * from stacked
order by name, version, id
