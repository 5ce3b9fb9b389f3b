-- One row per judge, isolation, integrity of the last attempts, and packages: how many programs
-- were run so.
with why_inputs as (
    {{ rows }}
),

programs as (
    select distinct
        programs.program_id,
        admissions.judge_version,
        admissions.policy,
        admissions.environment_id
    from why_inputs as inputs
    inner join raw.program as programs
        on
            inputs.candidate_id = programs.candidate_id
            and inputs.problem_id = programs.problem_id
    inner join raw.admission as admissions on programs.admission_id = admissions.admission_id
),

last_attempts as (
    select
        program_id,
        arg_max(isolation, attempt) as isolation,
        arg_max(integrity, attempt) as integrity
    from raw.outcome
    group by program_id
),

counted as (
    select
        programs.judge_version,
        programs.policy,
        last_attempts.isolation,
        last_attempts.integrity,
        programs.environment_id,
        count(*) as n
    from programs
    left join last_attempts on programs.program_id = last_attempts.program_id
    group by all
)

select * from counted
order by judge_version desc, policy asc, n desc, isolation asc, integrity asc, environment_id asc
