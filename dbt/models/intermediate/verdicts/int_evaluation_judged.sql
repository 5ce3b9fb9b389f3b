{{ config(materialized="view") }}

with evaluations as (
    select *
    from {{ ref('stg_evaluation') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

programs_judged as (
    select *
    from {{ ref('int_program_judged') }}
),

-- few generations are evaluated twice on a problem: only these are sorted
several as (
    select
        generation_id,
        problem_id,
    from evaluations
    group by generation_id, problem_id
    having count(*) > 1
),

-- one evaluation for each generation: under the calibrated policy if there is one, then the newest
chosen as (
    select
        evaluations.generation_id,
        evaluations.problem_id,
        evaluations.candidate_id,
        evaluations.program_id,
    from evaluations
    anti join several
        on
            evaluations.generation_id = several.generation_id
            and evaluations.problem_id = several.problem_id
    union all
    select
        evaluations.generation_id,
        evaluations.problem_id,
        evaluations.candidate_id,
        evaluations.program_id,
    from evaluations
    semi join several
        on
            evaluations.generation_id = several.generation_id
            and evaluations.problem_id = several.problem_id
    inner join programs_judged on evaluations.program_id = programs_judged.program_id
    inner join runs on evaluations.run_id = runs.run_id
    qualify row_number() over (
        partition by evaluations.generation_id, evaluations.problem_id
        order by
            programs_judged.is_calibrated desc,
            runs.started_at desc,
            evaluations.program_id desc
    ) = 1
),

judged as (
    select
        chosen.generation_id,
        chosen.problem_id,
        chosen.candidate_id,
        programs_judged.parses,
        programs_judged.null_reason,
        programs_judged.verdict,
        programs_judged.cpu_s,
        programs_judged.cpu_share,
        programs_judged.why_ended,
        programs_judged.isolation,
        programs_judged.integrity,
        programs_judged.alone,
        programs_judged.pass_share,
        programs_judged.known_share,
    from chosen
    inner join programs_judged on chosen.program_id = programs_judged.program_id
)

select * from judged
