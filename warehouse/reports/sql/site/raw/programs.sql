-- One row per program and attempt: its limits, its verdict and those of its tests.
with tests as (
    select
        program_id,
        attempt,
        list(struct_pack(test_index, status, message) order by test_index) as tests
    from raw.test_outcome
    group by all
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
