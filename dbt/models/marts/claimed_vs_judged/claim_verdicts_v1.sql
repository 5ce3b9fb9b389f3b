with claims as (
    select *
    from {{ ref('stg_claim') }}
),

sources as (
    select *
    from {{ ref('stg_claim_source') }}
),

files as (
    select *
    from {{ ref('stg_claim_file') }}
),

matched as (
    select *
    from {{ ref('int_claim_matched') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

judged as (
    select *
    from {{ ref('int_generation_judged') }}
),

published as (
    select
        claims.claim_id,
        claims.claim_source_id,
        sources.format,
        sources.claimant,
        sources.claimant_version,
        sources.label,
        sources.lm_id,
        sources.lm,
        sources.revision,
        language_models.simulated,
        sources.dataset,
        problems.dataset_version,
        problems.release_id,
        problems.problem_id,
        claims.task_id,
        claims.sample_index,
        claims.metric,
        claims.passed as claimed_passed,
        claims.confidence as claimed_confidence,
        claims.score as claimed_score,
        claims.status as claimed_status,
        matched.generation_id,
        settings.setting_id,
        settings.setting,
        if(matched.null_reason is null, cast(matched.verdict as varchar), null) as verdict,
        if(matched.null_reason is null, matched.verdict = 'passed', null) as judged_passed,
        case
            when matched.null_reason is not null then null
            when claims.passed = (matched.verdict = 'passed') then 'agrees'
            when claims.passed then 'claimed_only'
            else 'judged_only'
        end as comparison,
        {% for column in ['why_ended', 'isolation', 'integrity'] %}
        cast(judged.{{ column }} as varchar) as {{ column }},
        {% endfor %}
        matched.null_reason,
        files.name as file,
        files.sha256,
        claims.place,
        'claim_verdicts_v1' as view_version,
    from matched
    inner join claims on matched.claim_id = claims.claim_id
    inner join sources on claims.claim_source_id = sources.claim_source_id
    inner join files on claims.claim_file_id = files.claim_file_id
    left join problems on matched.problem_no = problems.problem_no
    left join language_models on sources.lm_id = language_models.lm_id
    left join settings on matched.setting_no = settings.setting_no
    left join judged
        on
            matched.generation_id = judged.generation_id
            and matched.problem_no = judged.problem_no
)

select * from published
