{#- What a calibration subject is scored by: the column of the score in int_confidence_measured,
    that of its logarithm where the score may underflow, and that of the reason without one. The
    order numbers the subjects of a build. Unskilled is no column: its numbers are defined. -#}
{% macro calibration_measures() -%}
    {%- set tokens = 'token_null_reason' -%}
    {%- set stopped = 'token_null_reason_incl_stop' -%}
    {{ return([
        [1, 'avg_prob', 'avg_prob', none, tokens],
        [1, 'total_prob', 'total_prob', 'log_total_prob', tokens],
        [1, 'verbalized', 'verbalized_v1', none, 'verbalized_null_reason_v1'],
        [1, 'ask_tf', 'ask_tf_v1', none, 'ask_tf_null_reason_v1'],
        [1, 'ask_tf_normalized', 'ask_tf_normalized_v1', none, 'ask_tf_normalized_null_reason_v1'],
        [1, 'length', 'length_v1', none, 'length_null_reason_v1'],
        [2, 'avg_prob', 'avg_prob', none, tokens],
        [2, 'total_prob', 'total_prob', 'log_total_prob', tokens],
        [2, 'geometric_mean_prob', 'geometric_mean_prob', 'log_geometric_mean_prob', tokens],
        [2, 'min_prob', 'min_prob', 'log_min_prob', tokens],
        [2, 'avg_prob_incl_stop', 'avg_prob_incl_stop', none, stopped],
        [2, 'total_prob_incl_stop', 'total_prob_incl_stop', 'log_total_prob_incl_stop', stopped],
        [2, 'verbalized', 'verbalized_v2', none, 'verbalized_null_reason_v2'],
        [2, 'verbalized_base_rate', 'verbalized_base_rate', none, 'verbalized_base_rate_null_reason'],
        [2, 'ask_tf', 'ask_tf_v2', none, 'ask_tf_null_reason_v2'],
        [2, 'ask_tf_normalized', 'ask_tf_normalized_v2', none, 'ask_tf_normalized_null_reason_v2'],
        [2, 'length', 'length_v2', none, 'length_null_reason_v2'],
    ]) }}
{%- endmacro %}

{#- The columns of int_confidence_measured that calibration reads. The base rate as a score is none:
    it depends on the labels. -#}
{% macro calibration_columns() -%}
    {%- set columns = [] -%}
    {%- for version, measure, score, log_score, reason in calibration_measures()
        if measure != 'verbalized_base_rate' -%}
        {%- for column in [score, log_score, reason] if column and column not in columns -%}
            {%- do columns.append(column) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}

{#- Why a generation is not used by a calibration view; the first that holds is the one counted. -#}
{% macro calibration_null_reasons() -%}
    {{ return([
        'errata', 'reference_fails', 'not_executed', 'harness_fault',
        'canary_failed', 'not_available', 'empty', 'missing_logprobs', 'logprob_positive', 'not_asked',
        'parse_fail', 'not_applicable',
    ]) }}
{%- endmacro %}

{#- The logit of a score as version 1 has it: clipped to [1e-6, 1 - 1e-6]. -#}
{% macro logit_clipped(p) -%}
    ln(greatest(least({{ p }}, 1 - 1e-6), 1e-6) / (1 - greatest(least({{ p }}, 1 - 1e-6), 1e-6)))
{%- endmacro %}

{#- The logit of a score from its logarithm, as version 2 has it: log p - log(1 - p), clipped above
    at 1 - 1e-6 only, so that exp(-50) is -50. A score of exactly 0 without a logarithm of its own
    has no logit: it is taken as 1e-6. -#}
{% macro logit_of_log(log_p) -%}
    least({{ log_p }}, ln(1 - 1e-6)) - ln(1 - exp(least({{ log_p }}, ln(1 - 1e-6))))
{%- endmacro %}

{#- Words as a list of SQL strings in brackets. -#}
{% macro quoted(words) -%}
    ({% for word in words %}'{{ word }}'{{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}
