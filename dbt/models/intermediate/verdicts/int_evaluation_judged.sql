with generations as (
    select *
    from {{ ref('stg_generation') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

-- settings and generations are read once more: DuckDB would keep a CTE with two readers, and then
-- join it as if it had no rows
settings_of_correctness as (
    select setting_id
    from {{ ref('stg_setting') }}
    where task in {{ tasks_of('correctness') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
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

-- a generation may be judged against its own problem and against others. Where it was never judged
-- against its own, it gets a row without a verdict
generations_waiting as (
    select
        generations.generation_id,
        generations.problem_id,
    from {{ ref('stg_generation') }} as generations
    semi join settings_of_correctness
        on generations.setting_id = settings_of_correctness.setting_id
    anti join {{ ref('stg_evaluation') }} as evaluations
        on
            generations.generation_id = evaluations.generation_id
            and generations.problem_id = evaluations.problem_id
),

evaluations_chosen as (
    select
        generation_id,
        problem_id,
        candidate_id,
        program_id,
    from evaluations_once
    union all by name
    select
        generation_id,
        problem_id,
        evaluation.candidate_id,
        evaluation.program_id,
    from newest
    union all by name
    select
        generation_id,
        problem_id,
    from generations_waiting
),

judged as (
    select
        evaluations_chosen.generation_id,
        cast(language_models.lm_no as integer) as lm_no,
        cast(settings.setting_no as integer) as setting_no,
        cast(problems.problem_no as integer) as problem_no,
        generations.sample_index,
        generations.n_completion_tokens,
        generations.n_prompt_tokens,
        generations.cost_usd,
        evaluations_chosen.candidate_id,
        programs_judged.parses,
        if(
            programs_judged.program_id is null,
            {{ as_enum("'not_executed'", program_null_reasons()) }},
            programs_judged.null_reason
        ) as null_reason,
        programs_judged.verdict,
        programs_judged.verdict = 'passed' as passed,
        programs_judged.cpu_s,
        programs_judged.cpu_share,
        programs_judged.why_ended,
        programs_judged.isolation,
        programs_judged.integrity,
        programs_judged.alone,
        programs_judged.pass_share,
        programs_judged.known_share,
    from evaluations_chosen
    inner join generations on evaluations_chosen.generation_id = generations.generation_id
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join problems on evaluations_chosen.problem_id = problems.problem_id
    left join {{ ref('int_program_judged') }} as programs_judged
        on evaluations_chosen.program_id = programs_judged.program_id
)

select * from judged
