{#- What names an entry of a mart: who, on what, asked how. -#}
{% macro entry_columns() -%}
    {{ return([
        'lm_id', 'lm', 'revision', 'simulated', 'dataset', 'dataset_version', 'release_id',
        'setting_id', 'setting',
    ]) }}
{%- endmacro %}
