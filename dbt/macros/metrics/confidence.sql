{#- The measures of confidence of each generation, as one version has them. -#}
{% macro confidence(version) %}
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
        cast(measured.token_null_reason as varchar) as avg_prob_null_reason,
        measured.total_prob,
        measured.log_total_prob,
        cast(measured.token_null_reason as varchar) as total_prob_null_reason,
        {% if version == 2 %}
        measured.geometric_mean_prob,
        measured.log_geometric_mean_prob,
        cast(measured.token_null_reason as varchar) as geometric_mean_prob_null_reason,
        measured.min_prob,
        measured.log_min_prob,
        cast(measured.token_null_reason as varchar) as min_prob_null_reason,
        measured.avg_prob_incl_stop,
        cast(measured.token_null_reason_incl_stop as varchar) as avg_prob_incl_stop_null_reason,
        measured.total_prob_incl_stop,
        measured.log_total_prob_incl_stop,
        cast(measured.token_null_reason_incl_stop as varchar) as total_prob_incl_stop_null_reason,
        {% endif %}
        measured.verbalized_v{{ version }} as verbalized,
        cast(measured.verbalized_null_reason_v{{ version }} as varchar) as verbalized_null_reason,
        {% if version == 1 %}
        measured.verbalized_fallback_v1 as verbalized_fallback,
        {% endif %}
        measured.verbalized_calls_v{{ version }} as verbalized_calls,
        measured.ask_tf_v{{ version }} as ask_tf,
        cast(measured.ask_tf_null_reason_v{{ version }} as varchar) as ask_tf_null_reason,
        measured.ask_tf_false_v{{ version }} as ask_tf_false,
        {% if version == 2 %}
        measured.ask_tf_residual_v2 as ask_tf_residual,
        measured.ask_tf_v2 as ask_tf_lowest,
        least(measured.ask_tf_v2 + measured.ask_tf_residual_v2, 1.0) as ask_tf_highest,
        {% endif %}
        measured.ask_tf_normalized_v{{ version }} as ask_tf_normalized,
        cast(measured.ask_tf_normalized_null_reason_v{{ version }} as varchar) as ask_tf_normalized_null_reason,
        measured.length_v{{ version }} as length,
        cast(measured.length_null_reason_v{{ version }} as varchar) as length_null_reason,
        measured.n_characters,
        {% if version == 1 %}
        cast(measured.length_range_source as varchar) as length_range_source,
        {% endif %}
        'confidence_v{{ version }}' as view_version,
    from measured
    inner join language_models on measured.lm_no = language_models.lm_no
    inner join settings on measured.setting_no = settings.setting_no
    inner join problems on measured.problem_id = problems.problem_id
)

select * from published
{% endmacro %}

{#- Whether a token is one of these words, perhaps with white space around it. Words have only letters,
    since they are put into a pattern. Most tokens have none of the words, and patterns are slow: so
    `contains` comes first. -#}
{% macro is_one_of(token, words) -%}
    case
        when {% for word in words %}{{ 'or ' if not loop.first }}contains({{ token }}, '{{ word }}') {% endfor -%}
            then regexp_full_match({{ token }}, '[\s\v]*({{ words | join('|') }})[\s\v]*')
        else false
    end
{%- endmacro %}
