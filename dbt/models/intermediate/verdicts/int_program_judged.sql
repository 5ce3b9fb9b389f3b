with programs as (
    select *
    from {{ ref('stg_program') }}
),

candidates as (
    select *
    from {{ ref('stg_candidate') }}
),

admissions as (
    select *
    from {{ ref('stg_admission') }}
),

outcomes as (
    select *
    from {{ ref('stg_outcome') }}
),

trials as (
    select
        program_id,
        factor,
        n_tests,
        n_passed,
        cpu_s,
        test_cpu_s,
        why_ended in ('cpu', 'wall') as is_cut_off,
    from {{ ref('stg_limit_trial') }}
),

canaries_passed as (
    select *
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
        admissions.test_cpu_limit_s,
    from programs
    inner join admissions on programs.admission_id = admissions.admission_id
    inner join candidates on programs.candidate_id = candidates.candidate_id
),

-- what longer limits brought: from which share of the limits on it passes, or up to which it is
-- known not to
trials_read as (
    select
        trials.program_id,
        min(
            greatest(
                trials.cpu_s / programs_placed.cpu_limit_s,
                coalesce(trials.test_cpu_s / programs_placed.test_cpu_limit_s, 0)
            )
        ) filter (not trials.is_cut_off and trials.n_passed = trials.n_tests) as pass_share,
        max(if(trials.is_cut_off, trials.factor, cast('infinity' as double))) as known_share,
    from trials
    inner join programs_placed on trials.program_id = programs_placed.program_id
    group by trials.program_id
),

attempts as (
    select
        programs_placed.program_id,
        programs_placed.parses,
        programs_placed.is_calibrated,
        outcomes.attempt,
        outcomes.verdict,
        outcomes.n_tests > 0 and outcomes.n_passed = outcomes.n_tests as has_passed_all,
        outcomes.cpu_s,
        if(
            outcomes.cpu_s is null,
            null,
            greatest(
                outcomes.cpu_s / programs_placed.cpu_limit_s,
                coalesce(outcomes.test_cpu_s / programs_placed.test_cpu_limit_s, 0)
            )
        ) as cpu_share,
        outcomes.alone,
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
        if(null_reason is null, coalesce(alone, false), null) as alone,
        if(null_reason is null, has_passed_all, null) as has_passed_all,
    from attempts
    qualify row_number() over (
        partition by program_id
        order by null_reason is null desc, attempt desc
    ) = 1
),

-- cut off at 1.1 times the limits: with less it does not pass
weighed as (
    select
        judged.program_id,
        judged.parses,
        judged.is_calibrated,
        judged.null_reason,
        judged.verdict,
        judged.cpu_s,
        judged.cpu_share,
        judged.why_ended,
        judged.isolation,
        judged.integrity,
        judged.alone,
        case
            when judged.verdict = 'passed' then least(coalesce(judged.cpu_share, 0), 1)
            when judged.verdict <> 'timeout' then null
            when judged.why_ended = 'exit' and judged.has_passed_all then judged.cpu_share
            when trials_read.pass_share is not null then greatest(trials_read.pass_share, 1.1)
        end as pass_share,
        case
            when judged.verdict is null then null
            when judged.verdict = 'timeout' and judged.why_ended in ('cpu', 'wall')
                then coalesce(trials_read.known_share, 1)
            else cast('infinity' as double)
        end as known_share,
    from judged
    left join trials_read on judged.program_id = trials_read.program_id
)

select * from weighed
