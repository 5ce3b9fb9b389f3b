{#- A view per versioned mart, named without its version, over the newest version. -#}
{% macro point_plain_names() %}
    {% if execute %}
        {% for node in graph.nodes.values() if node.resource_type == 'model'
            and node.version and node.version == node.latest_version %}
            {% if load_relation(api.Relation.create(
                database=node.database, schema=node.schema, identifier=node.alias)) %}
                create or replace view {{ node.schema }}.{{ node.name }} as
                select * from {{ node.schema }}.{{ node.alias }};
            {% endif %}
        {% endfor %}
    {% endif %}
{% endmacro %}
