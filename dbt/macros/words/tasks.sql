{#- The tasks whose generations families of metrics take: models.words.TASKS_OF_METRICS. -#}
{% macro tasks_of() -%}
    {%- set tasks = [] -%}
    {%- for metrics in varargs -%}
    {%- do tasks.extend(var('tasks')[metrics]) -%}
    {%- endfor -%}
    {{ quoted(tasks) }}
{%- endmacro %}

{#- The CTE `entries`: those whose settings ask a task that a family of metrics takes. -#}
{% macro entries_of(metrics) -%}
entries as (
    select numbered.*
    from {{ ref('int_entry_numbered') }} as numbered
    inner join {{ ref('int_setting_numbered') }} as asked
        on numbered.setting_id = asked.setting_id
    where asked.task in {{ tasks_of(metrics) }}
)
{%- endmacro %}
