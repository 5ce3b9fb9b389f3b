{{ config(materialized="view") }}

with generations as (
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

-- few generations are evaluated more than once against a problem. Grouping by one hash of both
-- names finds them fast. Names that share a hash by chance are separated in `newest`
numbers_repeated as (
    select hash(generation_id, problem_id) as number
    from {{ ref('stg_evaluation') }}
    group by all
    having count(*) > 1
),

evaluations_once as (
    select evaluations.*
    from {{ ref('stg_evaluation') }} as evaluations
    anti join numbers_repeated
        on hash(evaluations.generation_id, evaluations.problem_id) = numbers_repeated.number
),

evaluations_repeated as (
    select evaluations.*
    from {{ ref('stg_evaluation') }} as evaluations
    semi join numbers_repeated
        on hash(evaluations.generation_id, evaluations.problem_id) = numbers_repeated.number
),

-- one evaluation for each generation and problem: under the calibrated policy if there is one, then
-- the newest
newest as (
    select
        evaluations_repeated.generation_id,
        evaluations_repeated.problem_id,
        arg_max(
            struct_pack(
                candidate_id := evaluations_repeated.candidate_id,
                program_id := evaluations_repeated.program_id
            ),
            row(programs_judged.is_calibrated, runs.started_at, evaluations_repeated.program_id)
        ) as evaluation,
    from evaluations_repeated
    inner join {{ ref('int_program_judged') }} as programs_judged
        on evaluations_repeated.program_id = programs_judged.program_id
    inner join runs on evaluations_repeated.run_id = runs.run_id
    group by evaluations_repeated.generation_id, evaluations_repeated.problem_id
),

chosen as (
    select
        generation_id,
        problem_id,
        candidate_id,
        program_id,
    from evaluations_once
    union all
    select
        generation_id,
        problem_id,
        evaluation.candidate_id,
        evaluation.program_id,
    from newest
),

judged as (
    select
        chosen.generation_id,
        chosen.problem_id,
        settings.task,
        generations.lm_id,
        generations.setting_id,
        generations.sample_index,
        generations.n_completion_tokens,
        generations.n_prompt_tokens,
        generations.cost_usd,
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
    inner join generations on chosen.generation_id = generations.generation_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join {{ ref('int_program_judged') }} as programs_judged
        on chosen.program_id = programs_judged.program_id
)

select * from judged
