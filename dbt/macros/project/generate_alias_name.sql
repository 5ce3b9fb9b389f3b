{#- A relation is named by its alias, else by the file with its version. A view of the user is named
    by its file alone: by an alias it could take the place of another relation. -#}
{% macro generate_alias_name(custom_alias_name=none, node=none) -%}
    {%- if custom_alias_name and is_own_view(node) -%}
        {{ exceptions.raise_compiler_error(
            node.name ~ ": a view of your own is named by its file: leave out alias='" ~ custom_alias_name ~ "'"
        ) }}
    {%- endif -%}
    {{ default__generate_alias_name(custom_alias_name, node) }}
{%- endmacro %}
