{#- Schemas carry the names written in dbt_project.yml, without the target's prefix. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
