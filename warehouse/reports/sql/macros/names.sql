{% macro literal(value) -%}
    '{{ value | replace("'", "''") }}'
{%- endmacro %}

{% macro literals(values) -%}
    {% for value in values %}{{ literal(value) }}{{ ", " if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro quoted(name) -%}
    "{{ name | replace('"', '""') }}"
{%- endmacro %}

{#- A view or table by the parts of its name. -#}
{% macro relation(name) -%}
    {% for part in name %}{{ quoted(part) }}{{ "." if not loop.last }}{% endfor %}
{%- endmacro %}

{#- Columns with a comma between them. -#}
{% macro listed(columns, table="") -%}
    {% for column in columns %}{{ table }}{{ quoted(column) }}{{ ", " if not loop.last }}{% endfor %}
{%- endmacro %}

{#- The place of a value in a list; what is not in it comes last. -#}
{% macro index_of(column, values) -%}
    coalesce(list_position([{{ literals(values) }}], {{ column }}), 1000)
{%- endmacro %}

{#- A value's label; what has none is its own. -#}
{% macro label_of(column, labels, otherwise=none) -%}
    case {{ column }}
    {%- for value, label in labels.items() %}

        when {{ literal(value) }} then {{ literal(label) }}
    {%- endfor %}

        else {{ otherwise or column }}
    end
{%- endmacro %}
