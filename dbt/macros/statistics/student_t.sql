{#- Two-sided p value of Student's t with df degrees of freedom. Up to |t| = 5 it is the closed form of
    `correlation_p`, since t is r sqrt(df / (1 - r²)). Beyond, that form would lose its digits, and
    the series of the incomplete beta function is added, whose terms are all positive (Abramowitz
    and Stegun 1964, 26.5.4 and 26.7.1). NULL without a degree of freedom. -#}
{% macro student_t_p(t, df) -%}
    case
        when {{ t }} is null or {{ df }} < 1 then null
        when abs({{ t }}) <= 5
            then {{ correlation_p('(' ~ t ~ ' / sqrt(' ~ df ~ ' + ' ~ t ~ ' * ' ~ t ~ '))', '(' ~ df ~ ' + 2)') }}
        else
            exp(
                {{ df }} / 2 * ln({{ df }} / ({{ df }} + {{ t }} * {{ t }}))
                + 0.5 * ln({{ t }} * {{ t }} / ({{ df }} + {{ t }} * {{ t }}))
                - lgamma({{ df }} / 2 + 1)
                - lgamma(0.5)
                + lgamma({{ df }} / 2 + 0.5)
            )
            * list_sum(list_transform(
                range(cast(2 + 40 / ln(1 + {{ t }} * {{ t }} / {{ df }}) as bigint)),
                lambda j: exp(
                    lgamma({{ df }} / 2 + 0.5 + j) - lgamma({{ df }} / 2 + 0.5)
                    - lgamma({{ df }} / 2 + 1 + j) + lgamma({{ df }} / 2 + 1)
                ) * pow({{ df }} / ({{ df }} + {{ t }} * {{ t }}), j)
            ))
    end
{%- endmacro %}

{#- One-sided p value: the probability of a t at least as large (tail '>') or as small ('<'). -#}
{% macro student_t_tail(t, p_two_sided, tail) -%}
    if({{ t }} {{ tail }} 0, {{ p_two_sided }} / 2, 1 - {{ p_two_sided }} / 2)
{%- endmacro %}

{#- CTEs that end in `t_quantiles`: per number of degrees of freedom (df, at least 3) of counts_cte,
    `t_quantile`, half the width of a 95 % interval in standard errors. The expansion of Abramowitz
    and Stegun (1964, 26.7.5) misses it by less than 1e-4 from 19 on; each step of Newton's squares
    what is missed. -#}
{% macro student_t_quantiles(counts_cte) -%}
{%- set z = var('normal_quantile') -%}
t_step_0 as (
    select distinct
        df,
        {{ z }}
        + (pow({{ z }}, 3) + {{ z }}) / 4 / df
        + (5 * pow({{ z }}, 5) + 16 * pow({{ z }}, 3) + 3 * {{ z }}) / 96 / pow(df, 2)
        + (3 * pow({{ z }}, 7) + 19 * pow({{ z }}, 5) + 17 * pow({{ z }}, 3) - 15 * {{ z }})
        / 384 / pow(df, 3) as t,
    from {{ counts_cte }}
),

{% for step in [1, 2, 3] %}
t_step_{{ step }} as (
    select
        df,
        t
        + (({{ student_t_p('t', 'df') }}) - {{ var('significance') }}) / 2 * sqrt(df * pi())
        * exp(lgamma(df / 2) - lgamma((df + 1) / 2) + (df + 1) / 2 * ln(1 + t * t / df)) as t,
    from t_step_{{ step - 1 }}
),

{% endfor %}
t_quantiles as (
    select
        df,
        t as t_quantile,
    from t_step_3
)
{%- endmacro %}
