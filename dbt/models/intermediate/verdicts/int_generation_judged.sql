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

generations_numbered as (
    select
        generations.generation_id,
        generations.problem_id,
        language_models.lm_no,
        settings.setting_no,
        generations.sample_index,
        generations.n_completion_tokens,
        generations.n_prompt_tokens,
        generations.cost_usd,
    from generations
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join settings on generations.setting_id = settings.setting_id
),

-- a generation may be judged against its own problem and against others
evaluations_judged as (
    select *
    from {{ ref('int_evaluation_judged') }}
    where task in {{ tasks_of('correctness') }}
),

generations_evaluated as (
    select
        generations_numbered.generation_id,
        generations_numbered.lm_no,
        generations_numbered.setting_no,
        generations_numbered.sample_index,
        generations_numbered.n_completion_tokens,
        generations_numbered.n_prompt_tokens,
        generations_numbered.cost_usd,
        evaluations_judged.problem_id,
        evaluations_judged.candidate_id,
        evaluations_judged.parses,
        evaluations_judged.null_reason,
        evaluations_judged.verdict,
        evaluations_judged.cpu_s,
        evaluations_judged.cpu_share,
        evaluations_judged.why_ended,
        evaluations_judged.isolation,
        evaluations_judged.integrity,
        evaluations_judged.alone,
        evaluations_judged.pass_share,
        evaluations_judged.known_share,
    from generations_numbered
    inner join evaluations_judged
        on generations_numbered.generation_id = evaluations_judged.generation_id
),

generations_waiting as (
    select
        generations_numbered.generation_id,
        generations_numbered.lm_no,
        generations_numbered.setting_no,
        generations_numbered.sample_index,
        generations_numbered.n_completion_tokens,
        generations_numbered.n_prompt_tokens,
        generations_numbered.cost_usd,
        generations_numbered.problem_id,
        'not_executed' as null_reason,
    from generations_numbered
    anti join evaluations_judged
        on
            generations_numbered.generation_id = evaluations_judged.generation_id
            and generations_numbered.problem_id = evaluations_judged.problem_id
),

stacked as (
    select
        generation_id,
        lm_no,
        setting_no,
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
        lm_no,
        setting_no,
        sample_index,
        n_completion_tokens,
        n_prompt_tokens,
        cost_usd,
        problem_id,
        null_reason,
    from generations_waiting
),

judged as (
    select
        stacked.generation_id,
        cast(stacked.lm_no as integer) as lm_no,
        cast(stacked.setting_no as integer) as setting_no,
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
    inner join problems on stacked.problem_id = problems.problem_id
)

select * from judged
