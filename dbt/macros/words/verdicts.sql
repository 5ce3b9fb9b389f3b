{#- What a judged program can come to; a harness fault is no verdict on the program. -#}
{% macro verdicts() -%}
    {{ return(['passed', 'failed', 'error', 'timeout', 'out_of_memory', 'tampered']) }}
{%- endmacro %}
