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

settled as (
    select *
    from {{ source('facts', 'program_judged') }}
),

-- where no attempt counts, all values of the attempt are NULL
counted as (
    select
        program_id,
        candidate_id,
        admission_id,
        {{ as_enum('null_reason', program_null_reasons()) }} as null_reason,
        {% for column in ['attempt', 'n_tests', 'n_passed', 'cpu_s', 'test_cpu_s', 'run_id'] %}
        if(null_reason is null, {{ column }}, null) as {{ column }},
        {% endfor %}
        {% for column, words in [
            ('verdict', verdicts()),
            ('why_ended', ends_of_programs()),
            ('isolation', isolation_levels()),
            ('integrity', integrities()),
        ] %}
        {{ as_enum('if(null_reason is null, ' ~ column ~ ', null)', words) }} as {{ column }},
        {% endfor %}
        if(null_reason is null, coalesce(alone, false), null) as alone,
    from settled
),

-- under longer limits: the least share of the limits with which a program passes, and the largest
-- up to which it fails
trials_read as (
    select
        trials.program_id,
        min(
            greatest(
                trials.cpu_s / admissions.cpu_limit_s,
                coalesce(trials.test_cpu_s / admissions.test_cpu_limit_s, 0)
            )
        ) filter (not trials.is_cut_off and trials.n_passed = trials.n_tests) as pass_share,
        max(if(trials.is_cut_off, trials.factor, cast('infinity' as double))) as known_share,
    from trials
    inner join programs on trials.program_id = programs.program_id
    inner join admissions on programs.admission_id = admissions.admission_id
    group by trials.program_id
),

judged as (
    select
        counted.program_id,
        candidates.parses,
        admissions.policy = 'calibrated' as is_calibrated,
        counted.null_reason,
        counted.attempt,
        counted.verdict,
        counted.n_tests,
        counted.cpu_s,
        if(
            counted.cpu_s is null,
            null,
            greatest(
                counted.cpu_s / admissions.cpu_limit_s,
                coalesce(counted.test_cpu_s / admissions.test_cpu_limit_s, 0)
            )
        ) as cpu_share,
        counted.why_ended,
        counted.isolation,
        counted.integrity,
        counted.alone,
        counted.run_id,
        counted.n_tests > 0 and counted.n_passed = counted.n_tests as has_passed_all,
    from counted
    inner join admissions on counted.admission_id = admissions.admission_id
    inner join candidates on counted.candidate_id = candidates.candidate_id
),

-- a program is cut off at 1.1 times its limits, so it needs at least that to pass
weighed as (
    select
        judged.program_id,
        judged.parses,
        judged.is_calibrated,
        judged.null_reason,
        judged.attempt,
        judged.verdict,
        judged.n_tests,
        judged.cpu_s,
        judged.cpu_share,
        judged.why_ended,
        judged.isolation,
        judged.integrity,
        judged.alone,
        judged.run_id,
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
