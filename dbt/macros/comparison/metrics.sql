{#- Metrics of comparisons whose 1 says that a problem is solved; of others, 1 may be the worst value. -#}
{% macro solved_metrics() -%}
    ('pass_at_k', 'exact_match', 'rtc_pass', 'rtc_exact_match')
{%- endmacro %}

{#- Whether the lower value of a metric is the better one. -#}
{% macro lower_is_better(metric) -%}
    ({{ metric }} = 'csim' or starts_with({{ metric }}, 'brier_'))
{%- endmacro %}

{#- Whether a problem's value is a mean over samples that could have been drawn otherwise. Values of
    pairs of samples, of programs of several descriptions or of two sides are more than that. -#}
{% macro is_made_of_samples(metric) -%}
    (
        {{ metric }} in ('pass_at_k', 'exact_match')
        or starts_with({{ metric }}, 'brier_')
    )
{%- endmacro %}
