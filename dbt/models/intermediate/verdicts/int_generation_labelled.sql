{{ config(materialized="view") }}

with programs_judged as (
    select *
    from {{ ref('int_generation_judged') }}
),

lines_judged as (
    select *
    from {{ ref('int_exact_match_judged') }}
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
        problems.release_no,
        stacked.notion,
        stacked.y_v1,
        stacked.y_v2,
        {{ as_enum(
            'coalesce(problems.set_aside, stacked.null_reason)', calibration_null_reasons()
        ) }} as null_reason,
    from stacked
    inner join problems on stacked.problem_no = problems.problem_no
),

labelled as (
    select
        generation_id,
        lm_no,
        setting_no,
        problem_no,
        release_no,
        notion,
        if(null_reason is null, y_v1, null) as y_v1,
        if(null_reason is null, y_v2, null) as y_v2,
        null_reason,
    from placed
)

select * from labelled
