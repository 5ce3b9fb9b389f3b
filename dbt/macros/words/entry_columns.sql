{#- What names an entry of a mart: who, on what, asked how. -#}
{% macro entry_columns() -%}
    {{ return([
        'lm_id', 'lm', 'revision', 'simulated', 'dataset', 'dataset_version', 'release_id',
        'setting_id', 'setting',
    ]) }}
{%- endmacro %}

{#- Where a row of one generation takes such a column from: the CTE of that name. -#}
{% macro entry_cte(column) -%}
    {%- if column.startswith('setting') -%}
        settings
    {%- elif column in ['lm_id', 'lm', 'revision', 'simulated'] -%}
        language_models
    {%- else -%}
        problems
    {%- endif -%}
{%- endmacro %}
