{#- The verdicts that say something about the program: all but a harness fault. -#}
{% macro verdicts() -%}
    {{ return(['passed', 'failed', 'error', 'timeout', 'out_of_memory', 'tampered']) }}
{%- endmacro %}

{#- Our verdicts on samples that others claim to be right. -#}
{% macro failing_verdicts() -%}
    {{ return(verdicts()[1:]) }}
{%- endmacro %}
