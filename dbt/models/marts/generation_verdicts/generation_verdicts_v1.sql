{% set judged_columns = [
    'lm_no', 'setting_no', 'problem_no', 'sample_index', 'candidate_id',
    'verdict', 'passed', 'null_reason', 'cpu_s', 'cpu_share', 'why_ended', 'isolation', 'integrity',
] %}

with generations as (
    select *
    from {{ ref('stg_generation') }}
),

completions as (
    select
        generation_id,
        {{ listed(judged_columns) }}
    from {{ ref('int_generation_judged') }}
),

counterfactuals as (
    select
        generation_id,
        {{ listed(judged_columns) }}
    from {{ ref('int_counterfactual_judged') }}
),

judged as (
    select * from completions
    union all by name
    select * from counterfactuals
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

published as (
    select
        judged.generation_id,
        {% for column in entry_columns() %}
        {{ entry_cte(column) }}.{{ column }},
        {% endfor %}
        settings.task,
        problems.problem_id,
        problems.task_id,
        problems.set_aside,
        generations.variant_id,
        judged.sample_index,
        judged.candidate_id,
        cast(judged.verdict as varchar) as verdict,
        judged.passed,
        cast(judged.null_reason as varchar) as null_reason,
        judged.cpu_s,
        judged.cpu_share,
        {% for column in ['why_ended', 'isolation', 'integrity'] %}
        cast(judged.{{ column }} as varchar) as {{ column }},
        {% endfor %}
        'generation_verdicts_v1' as view_version,
    from judged
    inner join generations on judged.generation_id = generations.generation_id
    inner join language_models on judged.lm_no = language_models.lm_no
    inner join settings on judged.setting_no = settings.setting_no
    inner join problems on judged.problem_no = problems.problem_no
)

select * from published
