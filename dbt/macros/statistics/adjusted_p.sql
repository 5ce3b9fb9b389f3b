{#- Of a family of m p values, each has its place from 1 (the smallest). NULL is no member. -#}

{#- What Holm's procedure makes of each (S. Holm, 1979): the chance of one false finding or more in the
    family stays below the level. The window runs over the family by place. -#}
{% macro holm_p(p, m, place, family) -%}
    if(
        {{ p }} is null,
        null,
        max(least(1.0, ({{ m }} - {{ place }} + 1) * {{ p }})) over (
            partition by {{ family | join(', ') }}
            order by {{ place }}
            rows between unbounded preceding and current row
        )
    )
{%- endmacro %}

{#- What the procedure of Benjamini and Hochberg (1995) makes of each. The expected share of false
    ones among the findings stays below the level, where tests are independent or positively
    dependent. -#}
{% macro bh_p(p, m, place, family) -%}
    if(
        {{ p }} is null,
        null,
        min(least(1.0, {{ m }} / {{ place }} * {{ p }})) over (
            partition by {{ family | join(', ') }}
            order by {{ place }}
            rows between current row and unbounded following
        )
    )
{%- endmacro %}
