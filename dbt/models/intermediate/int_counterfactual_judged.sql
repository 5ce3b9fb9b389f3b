with generations as (
    select
        generation_id,
        lm_id,
        setting_id,
        problem_id,
        variant_id,
        sample_index,
    from {{ ref('stg_generation') }}
    where parent_generation_id is null
),

evaluations as (
    select
        generation_id,
        problem_id,
        program_id,
        run_id,
    from {{ ref('stg_evaluation') }}
),

runs as (
    select
        run_id,
        started_at,
    from {{ ref('stg_run') }}
),

language_models as (
    select
        lm_id,
        lm_no,
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select
        setting_id,
        setting_no,
    from {{ ref('int_setting_numbered') }}
    where task = 'counterfactual'
),

problems as (
    select
        problem_id,
        problem_no,
        release_no,
    from {{ ref('int_problem_numbered') }}
),

programs_judged as (
    select
        program_id,
        is_calibrated,
        null_reason,
        verdict,
    from {{ ref('int_program_judged') }}
),

-- the calibrated policy speaks for a generation, then the newest evaluation
evaluations_judged as (
    select
        evaluations.generation_id,
        evaluations.problem_id,
        programs_judged.null_reason,
        programs_judged.verdict,
    from evaluations
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
        generations.generation_id,
        cast(language_models.lm_no as integer) as lm_no,
        cast(settings.setting_no as integer) as setting_no,
        cast(problems.problem_no as integer) as problem_no,
        cast(problems.release_no as integer) as release_no,
        generations.variant_id,
        generations.sample_index,
        evaluations_judged.verdict,
        evaluations_judged.verdict = 'passed' as passed,
        if(
            evaluations_judged.verdict is null,
            coalesce(evaluations_judged.null_reason, 'not_executed'),
            null
        ) as null_reason,
    from generations
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join problems on generations.problem_id = problems.problem_id
    left join evaluations_judged
        on
            generations.generation_id = evaluations_judged.generation_id
            and generations.problem_id = evaluations_judged.problem_id
)

select * from judged
