with generations as (
    select *
    from {{ ref('stg_generation') }}
    where parent_generation_id is null
),

texts as (
    select *
    from {{ ref('stg_generation_text') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('exact_match') }}
),

problems as (
    select
        problem_id,
        reference,
        contains(tags, '"project_tests"') as has_project_tests,
    from {{ ref('stg_problem') }}
),

problems_numbered as (
    select *
    from {{ ref('int_problem_numbered') }}
),

judged as (
    select
        generations.generation_id,
        cast(language_models.lm_no as integer) as lm_no,
        cast(settings.setting_no as integer) as setting_no,
        cast(problems_numbered.problem_no as integer) as problem_no,
        {{ exact_match_v1('texts.kept_text', 'problems.reference') }} as exact_match_v1,
        if(
            settings.task in {{ tasks_of('line_completion') }},
            {{ exact_match_python('texts.kept_text', 'problems.reference') }},
            {{ exact_match_v2('texts.kept_text', 'problems.reference') }}
        ) as exact_match_v2,
        problems.has_project_tests,
    from generations
    inner join settings on generations.setting_id = settings.setting_id
    inner join language_models on generations.lm_id = language_models.lm_id
    inner join texts on generations.generation_id = texts.generation_id
    inner join problems on generations.problem_id = problems.problem_id
    inner join problems_numbered on generations.problem_id = problems_numbered.problem_id
)

select * from judged
