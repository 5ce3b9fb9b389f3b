{#- A printed number is reproduced when ours is within half a unit of its last decimal. -#}
{% macro half_unit(decimals) -%}
    (0.5 * pow(10, -({{ decimals }})) + 1e-9)
{%- endmacro %}

{#- The Brier score of the constant base rate: what a confidence measure must beat. -#}
{% macro reference_brier(c, n) -%}
    (({{ c }}) / ({{ n }}) * (1 - ({{ c }}) / ({{ n }})))
{%- endmacro %}
