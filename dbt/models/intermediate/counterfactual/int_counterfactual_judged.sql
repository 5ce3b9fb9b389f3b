with generations as (
    select *
    from {{ ref('stg_generation') }}
    where parent_generation_id is null
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('mutation_effect') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

evaluations_judged as (
    select evaluations.*
    from {{ ref('int_evaluation_judged') }} as evaluations
    semi join settings on evaluations.setting_no = settings.setting_no
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
        evaluations_judged.candidate_id,
        evaluations_judged.cpu_s,
        evaluations_judged.cpu_share,
        evaluations_judged.why_ended,
        evaluations_judged.isolation,
        evaluations_judged.integrity,
    from generations
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join problems on generations.problem_id = problems.problem_id
    left join evaluations_judged
        on
            generations.generation_id = evaluations_judged.generation_id
            and problems.problem_no = evaluations_judged.problem_no
)

select * from judged
