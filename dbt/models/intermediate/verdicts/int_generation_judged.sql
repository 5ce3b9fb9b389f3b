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
    where task in {{ tasks_of('correctness') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

-- a generation may be judged against its own problem and against others
generations_evaluated as (
    select *
    from {{ ref('int_evaluation_judged') }}
    where task in {{ tasks_of('correctness') }}
),

generations_waiting as (
    select generations.*
    from generations
    semi join settings on generations.setting_id = settings.setting_id
    anti join {{ ref('stg_evaluation') }} as evaluations
        on
            generations.generation_id = evaluations.generation_id
            and generations.problem_id = evaluations.problem_id
),

stacked as (
    select
        generation_id,
        lm_id,
        setting_id,
        sample_index,
        n_completion_tokens,
        n_prompt_tokens,
        cost_usd,
        problem_id,
        candidate_id,
        parses,
        null_reason,
        verdict,
        cpu_s,
        cpu_share,
        why_ended,
        isolation,
        integrity,
        alone,
        pass_share,
        known_share,
    from generations_evaluated
    union all by name
    select
        generation_id,
        lm_id,
        setting_id,
        sample_index,
        n_completion_tokens,
        n_prompt_tokens,
        cost_usd,
        problem_id,
        'not_executed' as null_reason,
    from generations_waiting
),

judged as (
    select
        stacked.generation_id,
        cast(language_models.lm_no as integer) as lm_no,
        cast(settings.setting_no as integer) as setting_no,
        cast(problems.problem_no as integer) as problem_no,
        stacked.sample_index,
        stacked.n_completion_tokens,
        stacked.n_prompt_tokens,
        stacked.cost_usd,
        stacked.candidate_id,
        stacked.parses,
        stacked.null_reason,
        stacked.verdict,
        stacked.verdict = 'passed' as passed,
        stacked.cpu_s,
        stacked.cpu_share,
        stacked.why_ended,
        stacked.isolation,
        stacked.integrity,
        stacked.alone,
        stacked.pass_share,
        stacked.known_share,
    from stacked
    inner join language_models on stacked.lm_id = language_models.lm_id
    inner join settings on stacked.setting_id = settings.setting_id
    inner join problems on stacked.problem_id = problems.problem_id
)

select * from judged
