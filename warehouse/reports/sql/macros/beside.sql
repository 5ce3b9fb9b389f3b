{#- The order of printed numbers; what is of no language model comes last. -#}
{% macro order_beside() -%}
    simulated,
    lm,
    lm_id,
    table_no,
    printed_dataset,
    dataset,
    measure,
    mutation,
    operator,
    statistic,
    setting,
    reproduction_id
{%- endmacro %}
