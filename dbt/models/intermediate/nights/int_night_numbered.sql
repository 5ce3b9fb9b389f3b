with samples as (
    select *
    from {{ ref('int_night_sample') }}
),

evaluations as (
    select *
    from {{ ref('stg_evaluation') }}
),

programs as (
    select *
    from {{ ref('stg_program') }}
),

admissions as (
    select *
    from {{ ref('stg_admission') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

canaries as (
    select *
    from {{ ref('int_canary_numbered') }}
),

judges as (
    select
        samples.entry_no,
        samples.night_no,
        arg_max(
            admissions.judge_version,
            (admissions.policy = 'calibrated', runs.started_at, admissions.admission_id)
        ) as judge_version,
    from samples
    inner join evaluations on samples.generation_id = evaluations.generation_id
    inner join programs on evaluations.program_id = programs.program_id
    inner join admissions on programs.admission_id = admissions.admission_id
    inner join runs on evaluations.run_id = runs.run_id
    group by all
),

entry_nights as (
    select
        'entry' as subject_kind,
        samples.entry_no as subject_no,
        samples.night_no,
        any_value(samples.run_id) as run_id,
        any_value(samples.started_at) as started_at,
        count(distinct samples.problem_index) as n_problems,
        count(*) as n_samples,
        {% for reason in program_null_reasons() %}
        count(*) filter (samples.null_reason = '{{ reason }}') as n_{{ reason }},
        {% endfor %}
        {% for column in ['isolation', 'integrity'] %}
        {{ words_of('samples.' ~ column) }} as {{ column }},
        {% endfor %}
        any_value(judges.judge_version) as judge_version,
    from samples
    left join judges
        on
            samples.entry_no = judges.entry_no
            and samples.night_no = judges.night_no
    group by samples.entry_no, samples.night_no
),

reference_nights as (
    select
        'references' as subject_kind,
        release_no as subject_no,
        night_no,
        any_value(run_id) as run_id,
        any_value(started_at) as started_at,
        count(*) as n_problems,
        count(*) as n_samples,
        count(*) filter (verdict <> 'passed') as n_failing,
        count(*) filter (verdict <> 'passed' and verdict_before = 'passed') as n_failing_again,
    from canaries
    group by release_no, night_no
),

stacked as (
    select *
    from entry_nights
    union all by name
    select *
    from reference_nights
)

select * from stacked
