with programs as (
    select
        program_id,
        candidate_id,
        problem_id,
        admission_id,
    from {{ ref('stg_program') }}
),

candidates as (
    select
        candidate_id,
        parses,
    from {{ ref('stg_candidate') }}
),

admissions as (
    select
        admission_id,
        policy,
        cpu_limit_s,
    from {{ ref('stg_admission') }}
),

outcomes as (
    select
        program_id,
        attempt,
        verdict,
        cpu_s,
        why_ended,
        isolation,
        integrity,
        run_id,
    from {{ ref('stg_outcome') }}
),

canaries_passed as (
    select
        run_id,
        problem_id,
    from {{ ref('stg_canary') }}
    where verdict = 'passed'
),

programs_placed as (
    select
        programs.program_id,
        programs.problem_id,
        candidates.parses,
        admissions.policy = 'calibrated' as is_calibrated,
        admissions.cpu_limit_s,
    from programs
    inner join admissions on programs.admission_id = admissions.admission_id
    inner join candidates on programs.candidate_id = candidates.candidate_id
),

attempts as (
    select
        programs_placed.program_id,
        programs_placed.parses,
        programs_placed.is_calibrated,
        outcomes.attempt,
        outcomes.verdict,
        outcomes.cpu_s,
        outcomes.cpu_s / programs_placed.cpu_limit_s as cpu_share,
        outcomes.why_ended,
        outcomes.isolation,
        outcomes.integrity,
        case
            when outcomes.attempt is null then 'not_executed'
            when outcomes.verdict = 'harness_fault' then 'harness_fault'
            when canaries_passed.run_id is null then 'canary_failed'
        end as null_reason,
    from programs_placed
    left join outcomes on programs_placed.program_id = outcomes.program_id
    left join canaries_passed
        on
            outcomes.run_id = canaries_passed.run_id
            and programs_placed.problem_id = canaries_passed.problem_id
),

-- the latest attempt that counts; where none counts, the latest says why
judged as (
    select
        program_id,
        parses,
        is_calibrated,
        null_reason,
        if(null_reason is null, verdict, null) as verdict,
        if(null_reason is null, cpu_s, null) as cpu_s,
        if(null_reason is null, cpu_share, null) as cpu_share,
        if(null_reason is null, why_ended, null) as why_ended,
        if(null_reason is null, isolation, null) as isolation,
        if(null_reason is null, integrity, null) as integrity,
    from attempts
    qualify row_number() over (
        partition by program_id
        order by null_reason is null desc, attempt desc
    ) = 1
)

select * from judged
