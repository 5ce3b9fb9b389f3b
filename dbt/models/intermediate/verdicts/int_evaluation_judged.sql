{{ config(materialized="view") }}

with evaluations as (
    select *
    from {{ ref('stg_evaluation') }}
),

generations as (
    select *
    from {{ ref('stg_generation') }}
),

settings as (
    select *
    from {{ ref('stg_setting') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

programs_judged as (
    select *
    from {{ ref('int_program_judged') }}
),

-- one evaluation for each generation: under the calibrated policy if there is one, then the newest.
-- Who reads the samples of some tasks alone has no others grouped
chosen as (
    select
        evaluations.generation_id,
        evaluations.problem_id,
        settings.task,
        arg_max(
            struct_pack(
                candidate_id := evaluations.candidate_id,
                program_id := evaluations.program_id
            ),
            row(programs_judged.is_calibrated, runs.started_at, evaluations.program_id)
        ) as evaluation,
    from evaluations
    inner join generations on evaluations.generation_id = generations.generation_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join programs_judged on evaluations.program_id = programs_judged.program_id
    inner join runs on evaluations.run_id = runs.run_id
    group by evaluations.generation_id, evaluations.problem_id, settings.task
),

judged as (
    select
        chosen.generation_id,
        chosen.problem_id,
        chosen.task,
        chosen.evaluation.candidate_id,
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
    inner join programs_judged on chosen.evaluation.program_id = programs_judged.program_id
)

select * from judged
