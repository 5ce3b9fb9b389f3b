{#- How a view of the project is made. In one transaction the relation of its name is dropped and
    the new one is created, so that a fault leaves the old one. dbt's own way creates it under
    another name, renames both, and asks about grants, indexes and foreign keys, which nothing here
    has. -#}
{% materialization table, adapter='duckdb' %}
    {{ return(replace_relation('table')) }}
{% endmaterialization %}

{% materialization view, adapter='duckdb' %}
    {{ return(replace_relation('view')) }}
{% endmaterialization %}

{% macro replace_relation(type) %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set relation = this.incorporate(type=type) -%}
    {% call statement('main') -%}
        {% if existing is not none %}
            drop {{ existing.type }} if exists {{ existing }};
        {% endif %}
        {% if type == 'table' %}
            {{ create_table_as(false, relation, compiled_code) }}
        {% else %}
            {{ create_view_as(relation, compiled_code) }}
        {% endif %}
    {%- endcall %}
    {{ adapter.commit() }}
    {{ return({'relations': [relation]}) }}
{% endmacro %}
