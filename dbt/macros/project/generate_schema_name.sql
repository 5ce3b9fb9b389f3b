{#- Schemas carry the names written in dbt_project.yml, without the target's prefix. A view of the
    user has none to choose: in `raw` it would take the place of a table of facts. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {%- if custom_schema_name not in (none, target.schema) and is_own_view(node) -%}
        {{ exceptions.raise_compiler_error(
            node.name ~ ": a view of your own has no schema: leave out schema='" ~ custom_schema_name ~ "'"
        ) }}
    {%- endif -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
