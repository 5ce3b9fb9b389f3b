with measured as (
    select *
    from {{ ref('int_confidence_measured') }}
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
        measured.generation_id,
        {% for column in entry_columns() %}
        {{ entry_cte(column) }}.{{ column }},
        {% endfor %}
        problems.problem_id,
        problems.task_id,
        measured.sample_index,
        measured.n_tokens_kept,
        measured.sentinel,
        measured.avg_prob,
        measured.token_null_reason as avg_prob_null_reason,
        measured.total_prob,
        measured.log_total_prob,
        measured.token_null_reason as total_prob_null_reason,
        measured.verbalized_v1 as verbalized,
        measured.verbalized_null_reason_v1 as verbalized_null_reason,
        measured.verbalized_fallback_v1 as verbalized_fallback,
        measured.verbalized_calls_v1 as verbalized_calls,
        measured.ask_tf_v1 as ask_tf,
        measured.ask_tf_null_reason_v1 as ask_tf_null_reason,
        measured.ask_tf_false_v1 as ask_tf_false,
        measured.ask_tf_normalized_v1 as ask_tf_normalized,
        measured.ask_tf_normalized_null_reason_v1 as ask_tf_normalized_null_reason,
        measured.length_v1 as length,
        measured.length_null_reason_v1 as length_null_reason,
        measured.n_characters,
        measured.length_range_source,
        'confidence_v1' as view_version,
    from measured
    inner join language_models on measured.lm_no = language_models.lm_no
    inner join settings on measured.setting_no = settings.setting_no
    inner join problems on measured.problem_id = problems.problem_id
)

select * from published
