-- One row per program and attempt: its limits, its verdict and those of its tests. Consecutive
-- tests with the same status and message are one item of the list.
with placed as (
    select
        *,
        test_index - row_number() over (
            partition by program_id, attempt, status, message order by test_index
        ) as stretch,
    from raw.test_outcome
),

stretches as (
    select
        program_id,
        attempt,
        status,
        message,
        min(test_index) as first_test,
        max(test_index) as last_test,
    from placed
    group by program_id, attempt, status, message, stretch
),

tests as (
    select
        program_id,
        attempt,
        list(struct_pack(first_test, last_test, status, message) order by first_test) as tests,
    from stretches
    group by program_id, attempt
)

select
    outcomes.program_id,
    outcomes.attempt,
    outcomes.verdict,
    outcomes.n_tests,
    outcomes.n_passed,
    outcomes.cpu_s,
    outcomes.wall_s,
    outcomes.max_rss_kb,
    outcomes.why_ended,
    outcomes.message,
    outcomes.isolation,
    outcomes.integrity,
    outcomes.alone,
    outcomes.run_id,
    admissions.policy,
    admissions.mode,
    admissions.cpu_limit_s,
    admissions.wall_limit_s,
    admissions.memory_limit_mb,
    admissions.test_cpu_limit_s,
    admissions.judge_version,
    admissions.environment_id,
    tests.tests
from raw.outcome as outcomes
inner join raw.program as programs on outcomes.program_id = programs.program_id
inner join raw.admission as admissions on programs.admission_id = admissions.admission_id
left join tests
    on
        outcomes.program_id = tests.program_id
        and outcomes.attempt = tests.attempt
order by outcomes.program_id, outcomes.attempt
