{#- Columns of a select list, with the CTE that they come from where it is named. -#}
{% macro listed(columns, of=none) -%}
    {%- for column in columns %}
    {{ of ~ '.' if of }}{{ column }},
    {%- endfor %}
{%- endmacro %}

{#- Measures of a CTE, each with the ends of its interval from another. -#}
{% macro listed_with_intervals(measures, of, intervals) -%}
    {%- for measure in measures %}
    {{ of }}.{{ measure }},
    {{ intervals }}.{{ measure }}_lo,
    {{ intervals }}.{{ measure }}_hi,
    {%- endfor %}
{%- endmacro %}

{#- Whether columns of two CTEs are equal. -#}
{% macro equal(columns, one, other) -%}
    {%- for column in columns %}
    {{ 'and ' if not loop.first }}{{ one }}.{{ column }} = {{ other }}.{{ column }}
    {%- endfor %}
{%- endmacro %}

{#- Columns of a CTE, their names followed by a suffix. -#}
{% macro listed_as(columns, of, suffix) -%}
    {%- for column in columns %}
    {{ of }}.{{ column }} as {{ column }}{{ suffix }},
    {%- endfor %}
{%- endmacro %}
