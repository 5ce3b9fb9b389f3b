{#- One end of the 95 % Wilson score interval of c successes in n (E. B. Wilson, 1927). None right
    begins at 0, all right ends at 1, no trials gives NULL. No rounding takes an end past 0 or 1. -#}
{% macro wilson_bound(c, n, sign, quantile=none) -%}
    {%- set z = quantile or var('normal_quantile') -%}
    case
        when {{ c }} is null or coalesce({{ n }}, 0) = 0 then null
        {% if sign == '-' -%}
        when {{ c }} = 0 then 0.0
        {%- else -%}
        when {{ c }} = {{ n }} then 1.0
        {%- endif %}
        else {{ 'greatest' if sign == '-' else 'least' }}(
            (
                {{ c }} / {{ n }} + {{ z }} * {{ z }} / (2 * {{ n }})
                {{ sign }} {{ z }} * sqrt(greatest(
                    {{ c }} / {{ n }} * (1 - {{ c }} / {{ n }}) / {{ n }}
                    + {{ z }} * {{ z }} / (4 * {{ n }} * {{ n }}),
                    0
                ))
            )
            / (1 + {{ z }} * {{ z }} / {{ n }}),
            {{ '0.0' if sign == '-' else '1.0' }}
        )
    end
{%- endmacro %}
