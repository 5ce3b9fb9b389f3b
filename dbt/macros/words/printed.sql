{#- A printed number is reproduced when ours is within half a unit of its last decimal. -#}
{% macro half_unit(decimals) -%}
    (0.5 * pow(10, -({{ decimals }})) + 1e-9)
{%- endmacro %}

{#- The Brier score of the constant base rate: what a confidence measure must beat. -#}
{% macro reference_brier(c, n) -%}
    (({{ c }}) / ({{ n }}) * (1 - ({{ c }}) / ({{ n }})))
{%- endmacro %}

{#- A printed cell beside another of the same paper; whether the two fit, each check says itself. -#}
{% macro cell_beside(cell, other) -%}
    {{ cell }}.paper,
        {{ cell }}.result_id as item,
        {{ cell }}.printed_text,
        {{ cell }}.printed,
        {{ other }}.printed as ours,
        0.0 as tolerance,
{%- endmacro %}

{#- The columns of every check of a published number, in their order. -#}
{% macro checked_columns() -%}
    paper, check_name, item, printed_text, printed, ours, tolerance, agrees, note
{%- endmacro %}

{#- Rows of several CTEs of checks. -#}
{% macro stacked_checks(names) -%}
    {% for name in names %}
    select {{ checked_columns() }} from {{ name }}
    {% if not loop.last %}
    union all
    {% endif %}
    {% endfor %}
{%- endmacro %}

{#- The CTE `checks` with the reason of each contradiction that is listed by name. -#}
{% macro explained_checks() -%}
contradictions as (
    select *
    from {{ ref('published_contradictions') }}
),

explained as (
    select
        checks.*,
        contradictions.reason as contradiction,
    from checks
    left join contradictions
        on {{ equal(['paper', 'check_name', 'item'], 'checks', 'contradictions') }}
)
{%- endmacro %}
