{#- The tasks whose generations families of metrics take: models.words.TASKS_OF_METRICS. -#}
{% macro tasks_of() -%}
    {%- set tasks = [] -%}
    {%- for metrics in varargs -%}
    {%- do tasks.extend(var('tasks')[metrics]) -%}
    {%- endfor -%}
    {{ quoted(tasks) }}
{%- endmacro %}
