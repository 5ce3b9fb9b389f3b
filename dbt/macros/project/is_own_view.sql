{#- Whether a node is a view in the folder of the user's project. -#}
{% macro is_own_view(node) -%}
    {{ return(node.resource_type == 'model' and node.path.startswith('own/')) }}
{%- endmacro %}
