{#- Why a counterfactual pair gives no value; the order is that of precedence and of the columns. -#}
{% macro pair_null_reasons() -%}
    {{ return([
        'reference_fails', 'errata', 'not_generated', 'samples_missing', 'not_executed',
        'harness_fault', 'canary_failed',
    ]) }}
{%- endmacro %}
