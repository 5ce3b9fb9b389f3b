{#- One end of Fisher's 95 % interval of a correlation of n pairs (R. A. Fisher, 1921); NULL below
    four pairs. -#}
{% macro fisher_bound(r, n, sign) -%}
    case
        when {{ n }} < 4 then null
        when abs({{ r }}) >= 1 then {{ r }}
        else tanh(atanh({{ r }}) {{ sign }} {{ var('normal_quantile') }} / sqrt({{ n }} - 3))
    end
{%- endmacro %}

{#- Pearson's r of two columns of a group, NULL where one of them does not vary. -#}
{% macro pearson(x, y) -%}
    if(
        max({{ x }}) - min({{ x }}) > 1e-9 and max({{ y }}) - min({{ y }}) > 1e-9,
        greatest(least(corr({{ x }}, {{ y }}), 1), -1),
        null
    )
{%- endmacro %}

{#- Rank of x among its group, ties sharing the mean of their places. -#}
{% macro mid_rank(x, keys) -%}
    rank() over (partition by {{ keys | join(', ') }} order by {{ x }})
    + (count(*) over (partition by {{ keys | join(', ') }}, {{ x }}) - 1) / 2
{%- endmacro %}
