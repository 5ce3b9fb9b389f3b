with trips as (
    select *
    from {{ ref('int_round_trip_judged') }}
),

descriptions as (
    select *
    from {{ ref('int_description_marked') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('round_trip') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

published as (
    select
        trips.generation_id,
        {% for column in entry_columns() %}
        {% if column == 'simulated' %}
        language_models.simulated or coalesce(forward_language_models.simulated, false)
            as simulated,
        {% else %}
        {{ entry_cte(column) }}.{{ column }},
        {% endif %}
        {% endfor %}
        problems.problem_id,
        problems.task_id,
        problems.set_aside,
        trips.variant_id,
        trips.parent_generation_id as description_id,
        forward_language_models.lm_id as forward_lm_id,
        forward_language_models.lm as forward_lm,
        forward_language_models.simulated as forward_simulated,
        cast(descriptions.description_index as bigint) as description_index,
        descriptions.quotes_code,
        cast(trips.program_index as bigint) as program_index,
        cast(trips.verdict as varchar) as verdict,
        trips.passed,
        trips.null_reason,
        trips.exact_match_v1,
        trips.exact_match_v2,
        trips.bleu,
        trips.bleu_null_reason,
        trips.chrf,
        trips.chrf_null_reason,
        trips.codebleu_v1,
        trips.codebleu_v2,
        trips.codebleu_null_reason,
        {{ listed(codebleu_components(), 'trips') }}
        'round_trips_v1' as view_version,
    from trips
    inner join language_models on trips.lm_no = language_models.lm_no
    inner join settings on trips.setting_no = settings.setting_no
    inner join problems on trips.problem_no = problems.problem_no
    left join descriptions on trips.parent_generation_id = descriptions.generation_id
    left join language_models as forward_language_models
        on descriptions.lm_no = forward_language_models.lm_no
)

select * from published
