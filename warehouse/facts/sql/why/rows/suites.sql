-- One row per run of a project's suite, outcome of one of its tests, or function.
with suite_runs as (
    select *
    from raw.suite_run
    where project_release_id = $project_release_id
),

runs_of_suites as (
    select
        'runs of the suite' as role,
        'suite run' as kind,
        suite_run_id as id,
        verdict,
        run_id
    from suite_runs
    where $path is null
),

outcomes_of_tests as (
    select
        'outcomes of tests' as role,
        'outcome of a test' as kind,
        tests.suite_test_id as id,
        tests.outcome as verdict,
        tests.run_id
    from raw.suite_test as tests
    inner join suite_runs on tests.suite_run_id = suite_runs.suite_run_id
    where
        $path is null
        and ($test is null or tests.test = $test)
),

functions as (
    select
        'functions' as role,
        'function' as kind,
        project_function_id as id,
        run_id
    from raw.project_function
    where
        project_release_id = $project_release_id
        and path = $path
        and def_line = $def_line
),

stacked as (
    select * from runs_of_suites
    union all by name
    select * from outcomes_of_tests
    union all by name
    select * from functions
)

select
    *,
    cast(null as varchar) as problem_id,
    cast(null as varchar) as candidate_id,
    cast(null as varchar) as null_reason
from stacked
