with programs_judged as (
    select *
    from {{ ref('int_generation_judged') }}
),

lines_judged as (
    select *
    from {{ ref('int_exact_match_judged') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

stacked as (
    select
        generation_id,
        lm_no,
        setting_no,
        problem_no,
        'all_pass' as notion,
        passed as y_v1,
        passed as y_v2,
        null_reason,
    from programs_judged
    union all by name
    select
        generation_id,
        lm_no,
        setting_no,
        problem_no,
        'exact_match' as notion,
        exact_match_v1 as y_v1,
        exact_match_v2 as y_v2,
    from lines_judged
    -- the tests are those of a Java project: nothing here runs them
    union all by name
    select
        generation_id,
        lm_no,
        setting_no,
        problem_no,
        'all_pass' as notion,
        'not_available' as null_reason,
    from lines_judged
    where has_project_tests
),

placed as (
    select
        stacked.generation_id,
        stacked.lm_no,
        stacked.setting_no,
        stacked.problem_no,
        problems.problem_id,
        language_models.lm_id,
        settings.setting_id,
        problems.release_id,
        stacked.notion,
        stacked.y_v1,
        stacked.y_v2,
        coalesce(problems.set_aside, stacked.null_reason) as null_reason,
    from stacked
    inner join language_models on stacked.lm_no = language_models.lm_no
    inner join settings on stacked.setting_no = settings.setting_no
    inner join problems on stacked.problem_no = problems.problem_no
),

labelled as (
    select
        generation_id,
        lm_no,
        setting_no,
        problem_no,
        problem_id,
        lm_id,
        setting_id,
        release_id,
        notion,
        if(null_reason is null, y_v1, null) as y_v1,
        if(null_reason is null, y_v2, null) as y_v2,
        null_reason,
    from placed
)

select * from labelled
