{{ config(materialized="view") }}

with evaluations as (
    select *
    from {{ ref('int_evaluation_judged') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('correctness') }}
),

judged as (
    select
        {{ listed([
            'generation_id', 'lm_no', 'setting_no', 'problem_no', 'sample_index',
            'n_completion_tokens', 'n_prompt_tokens', 'cost_usd', 'candidate_id', 'parses',
            'null_reason', 'verdict', 'passed', 'cpu_s', 'cpu_share', 'why_ended', 'isolation',
            'integrity', 'alone', 'pass_share', 'known_share',
        ], 'evaluations') }}
    from evaluations
    semi join settings on evaluations.setting_no = settings.setting_no
)

select * from judged
