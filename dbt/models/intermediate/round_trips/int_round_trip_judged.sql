{% set code = 'coalesce(regions.code, contents.reference)' %}

with generations as (
    select *
    from {{ ref('stg_generation') }}
),

texts as (
    select *
    from {{ ref('stg_generation_text') }}
),

regions as (
    select *
    from {{ ref('stg_region') }}
),

contents as (
    select
        problem_id,
        reference,
        compare,
    from {{ ref('stg_problem') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('round_trip', 'edit') }}
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

similarities as (
    select *
    from {{ ref('int_text_similarity_combined') }}
),

-- without a description the generation is one of the baseline, or made from a person's words. An
-- edit is never run, nor is a cell of a notebook
judged as (
    select
        generations.generation_id,
        generations.parent_generation_id,
        cast(language_models.lm_no as integer) as lm_no,
        cast(settings.setting_no as integer) as setting_no,
        cast(problems.problem_no as integer) as problem_no,
        cast(problems.release_no as integer) as release_no,
        generations.variant_id,
        row_number() over (
            partition by
                generations.lm_id,
                generations.setting_id,
                generations.variant_id,
                generations.parent_generation_id
            order by generations.sample_index
        ) - 1 as program_index,
        evaluations_judged.verdict,
        evaluations_judged.verdict = 'passed' as passed,
        case
            when settings.task in {{ tasks_of('edit') }} or contents.compare = 'text'
                then 'not_applicable'
            when evaluations_judged.verdict is null
                then coalesce(evaluations_judged.null_reason, 'not_executed')
        end as null_reason,
        {{ exact_match_v1('texts.kept_text', code) }} as exact_match_v1,
        {{ exact_match_spaced('texts.kept_text', code) }} as exact_match_v2,
        similarities.bleu,
        similarities.chrf,
        similarities.codebleu_v1,
        similarities.codebleu_v2,
        {{ listed(codebleu_components(), 'similarities') }}
        {{ text_null_reason('bleu', 'bleu_intl_v1') }} as bleu_null_reason,
        {{ text_null_reason('chrf', 'chrf_v1') }} as chrf_null_reason,
        {{ text_null_reason('codebleu_v2', 'codebleu_v1') }} as codebleu_null_reason,
    from generations
    inner join texts on generations.generation_id = texts.generation_id
    left join regions on generations.variant_id = regions.variant_id
    inner join contents on generations.problem_id = contents.problem_id
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join problems on generations.problem_id = problems.problem_id
    left join evaluations_judged
        on
            generations.generation_id = evaluations_judged.generation_id
            and problems.problem_no = evaluations_judged.problem_no
    left join similarities on generations.generation_id = similarities.generation_id
)

select * from judged
