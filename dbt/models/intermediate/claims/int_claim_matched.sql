with claims as (
    select *
    from {{ ref('stg_claim') }}
),

sources as (
    select *
    from {{ ref('stg_claim_source') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

generations as (
    select *
    from {{ ref('stg_generation') }}
),

judged as (
    select *
    from {{ ref('int_generation_judged') }}
),

-- a dataset with several releases has a task in each that holds it
placed as (
    select
        claims.claim_id,
        claims.sample_index,
        claims.text_key,
        sources.lm_id,
        problems.problem_no,
        case
            when claims.task_id is null then 'no_task'
            when problems.problem_no is null then 'not_ingested'
            when claims.passed is null then 'no_verdict_claimed'
            else problems.set_aside
        end as claim_null_reason,
    from claims
    inner join sources on claims.claim_source_id = sources.claim_source_id
    left join problems
        on sources.dataset = problems.dataset and claims.task_id = problems.task_id
),

-- only answers of language models with claims can match one
claimed as (
    select distinct
        language_models.lm_id,
        language_models.lm_no,
    from sources
    inner join language_models on sources.lm_id = language_models.lm_id
),

answers as (
    select
        claimed.lm_id,
        judged.problem_no,
        judged.setting_no,
        judged.sample_index,
        judged.generation_id,
        generations.text_key,
        judged.candidate_id,
        judged.verdict,
        judged.null_reason,
    from claimed
    inner join judged on claimed.lm_no = judged.lm_no
    inner join generations on judged.generation_id = generations.generation_id
),

-- a text may be the answer as it was given, or the whole program it became
texts as (
    select
        *,
        text_key as shown_key,
    from answers
    union all by name
    select
        *,
        candidate_id as shown_key,
    from answers
    where candidate_id <> text_key
),

found_by_text as (
    select
        placed.claim_id,
        placed.problem_no,
        texts.generation_id,
    from placed
    inner join texts
        on
            placed.lm_id = texts.lm_id
            and placed.problem_no = texts.problem_no
            and placed.text_key = texts.shown_key
    qualify row_number() over (
        partition by placed.claim_id, placed.problem_no
        order by
            texts.verdict is null,
            placed.sample_index is distinct from texts.sample_index,
            texts.setting_no,
            texts.sample_index,
            texts.generation_id
    ) = 1
),

found_by_index as (
    select
        placed.claim_id,
        placed.problem_no,
        min(answers.generation_id) as generation_id,
        count(*) as n_answers,
    from placed
    inner join answers
        on
            placed.lm_id = answers.lm_id
            and placed.problem_no = answers.problem_no
            and placed.sample_index = answers.sample_index
    where placed.text_key is null
    group by placed.claim_id, placed.problem_no
),

found as (
    select
        claim_id,
        problem_no,
        generation_id,
    from found_by_text
    union all by name
    select
        claim_id,
        problem_no,
        generation_id,
    from found_by_index
    where n_answers = 1
),

answered as (
    select distinct
        lm_id,
        problem_no,
    from answers
),

several as (
    select
        claim_id,
        problem_no,
    from found_by_index
    where n_answers > 1
),

matched as (
    select
        placed.claim_id,
        cast(placed.problem_no as integer) as problem_no,
        found.generation_id,
        answers.setting_no,
        answers.verdict,
        case
            when placed.claim_null_reason is not null then placed.claim_null_reason
            when several.claim_id is not null then 'several_settings'
            when answered.lm_id is null then 'no_generation'
            when found.claim_id is null and placed.text_key is not null then 'other_text'
            when found.claim_id is null then 'no_generation'
            else answers.null_reason
        end as null_reason,
    from placed
    left join found
        on placed.claim_id = found.claim_id and placed.problem_no = found.problem_no
    left join several
        on placed.claim_id = several.claim_id and placed.problem_no = several.problem_no
    left join answered
        on placed.lm_id = answered.lm_id and placed.problem_no = answered.problem_no
    left join answers
        on
            found.generation_id = answers.generation_id
            and found.problem_no = answers.problem_no
)

select * from matched
