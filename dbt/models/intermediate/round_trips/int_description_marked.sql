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

originals as (
    select *
    from {{ ref('stg_variant') }}
    where kind = 'original'
),

contents as (
    select
        problem_id,
        reference,
    from {{ ref('stg_problem') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('description', 'edit_description') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

-- a description of an edit is about the whole problem: its new code is what comes back
tokenised as (
    select
        generations.generation_id,
        cast(language_models.lm_no as integer) as lm_no,
        cast(settings.setting_no as integer) as setting_no,
        cast(problems.problem_no as integer) as problem_no,
        cast(problems.release_no as integer) as release_no,
        coalesce(regions.variant_id, originals.variant_id) as variant_id,
        row_number() over (
            partition by
                generations.lm_id,
                generations.setting_id,
                coalesce(regions.variant_id, originals.variant_id)
            order by generations.sample_index, generations.generation_id
        ) - 1 as description_index,
        {{ stripped('texts.kept_text') }} = '' as is_empty,
        {{ token_list('texts.kept_text') }} as words,
        {{ token_list('coalesce(regions.code, contents.reference)') }} as code,
    from generations
    inner join texts on generations.generation_id = texts.generation_id
    left join regions on generations.variant_id = regions.variant_id
    inner join originals on generations.problem_id = originals.problem_id
    inner join contents on generations.problem_id = contents.problem_id
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join settings on generations.setting_id = settings.setting_id
    inner join problems on generations.problem_id = problems.problem_id
),

marked as (
    select
        generation_id,
        lm_no,
        setting_no,
        problem_no,
        release_no,
        variant_id,
        description_index,
        is_empty,
        {{ quotes_half('words', 'code') }} as quotes_code,
    from tokenised
)

select * from marked
