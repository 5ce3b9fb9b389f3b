-- One row per run that brought these rows, their programs, admissions, outcomes or problems.
with why_inputs as (
    {{ rows }}
),

programs as (
    select distinct
        programs.program_id,
        programs.admission_id
    from why_inputs as inputs
    inner join raw.program as programs
        on
            inputs.candidate_id = programs.candidate_id
            and inputs.problem_id = programs.problem_id
),

used as (
    select
        run_id,
        'inputs' as brought
    from why_inputs
    union all
    select
        outcomes.run_id,
        'outcomes' as brought
    from raw.outcome as outcomes
    inner join programs on outcomes.program_id = programs.program_id
    union all
    select
        admissions.run_id,
        'admissions' as brought
    from raw.admission as admissions
    semi join programs on admissions.admission_id = programs.admission_id
    union all
    select
        problems.run_id,
        'problems' as brought
    from raw.problem as problems
    semi join why_inputs as inputs on problems.problem_id = inputs.problem_id
),

counted as (
    select
        run_id,
        count(*) filter (brought = 'problems') as n_problems,
        count(*) filter (brought = 'inputs') as n_inputs,
        count(*) filter (brought = 'admissions') as n_admissions,
        count(*) filter (brought = 'outcomes') as n_outcomes
    from used
    group by run_id
),

described as (
    select
        counted.*,
        runs.kind,
        strftime(make_timestamp(epoch_us(runs.started_at)), '%Y-%m-%d %H:%M:%S') as started_utc,
        coalesce(finishes.status, 'unfinished') as status,
        runs.code_version,
        runs.git_commit,
        runs.git_dirty,
        runs.settings
    from counted
    inner join raw.run as runs on counted.run_id = runs.run_id
    left join raw.run_finish as finishes on counted.run_id = finishes.run_id
)

select * from described
order by started_utc, run_id
