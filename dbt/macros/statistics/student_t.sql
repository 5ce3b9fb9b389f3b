{#- Two-sided p value of Student's t with df degrees of freedom. Up to |t| = 5 it is the closed form
    of `correlation_p`, since t is r sqrt(df / (1 - r²)). Beyond, that form would lose its digits,
    and the series of the incomplete beta function is added. Its terms are all positive (Abramowitz
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

{#- The 97.5 % quantile of Student's t. It is from a table up to 59 degrees of freedom. Above, it is
    four terms of its expansion in 1 / df (Abramowitz and Stegun 1964, 26.7.5), 1e-9 off at most.
    -#}
{% macro t_quantile(df) -%}
    {%- set z = 'cast(' ~ var('normal_quantile') ~ ' as double)' -%}
    {%- set table = [
        12.706204736174694, 4.302652729749462, 3.1824463052837078, 2.7764451051977934,
        2.5705818356363146, 2.4469118511449786, 2.364624251592784, 2.306004135204166,
        2.262157162798205, 2.228138851986274, 2.200985160091639, 2.1788128296672284,
        2.1603686564627913, 2.144786687917804, 2.131449545559776, 2.1199052992212546,
        2.1098155778333156, 2.1009220402410382, 2.0930240544083087, 2.085963447265864,
        2.0796138447276795, 2.0738730679040254, 2.0686576104190486, 2.0638985616280245,
        2.0595385527532972, 2.0555294386428735, 2.0518305164802846, 2.0484071417952454,
        2.045229642132703, 2.0422724563012378, 2.039513446396408, 2.0369333434601016,
        2.0345152974493383, 2.0322445093177186, 2.030107928250343, 2.0280940009804502,
        2.0261924630291093, 2.0243941639119694, 2.022690920036761, 2.021075390306273,
        2.019540970441376, 2.0180817028184443, 2.016692199227824, 2.0153675744437636,
        2.014103388880846, 2.012895598919429, 2.0117405137297655, 2.010634757624232,
        2.0095752371292392, 2.008559112100761, 2.007583770315836, 2.006646805061688,
        2.0057459953178687, 2.0048792881880564, 2.0040447832891455, 2.003240718847872,
        2.002465459291007, 2.0017174841452356, 2.000995378088267,
    ] -%}
    case
        when ({{ df }}) < 1 then null
        when ({{ df }}) < {{ table | length + 1 }} then {{ table }}[{{ df }}]
        else
            {{ z }}
            + (pow({{ z }}, 3) + {{ z }}) / 4 / ({{ df }})
            + (5 * pow({{ z }}, 5) + 16 * pow({{ z }}, 3) + 3 * {{ z }}) / 96 / pow({{ df }}, 2)
            + (3 * pow({{ z }}, 7) + 19 * pow({{ z }}, 5) + 17 * pow({{ z }}, 3) - 15 * {{ z }})
            / 384 / pow({{ df }}, 3)
            + (
                79 * pow({{ z }}, 9) + 776 * pow({{ z }}, 7) + 1482 * pow({{ z }}, 5)
                - 1920 * pow({{ z }}, 3) - 945 * {{ z }}
            ) / 92160 / pow({{ df }}, 4)
    end
{%- endmacro %}

{#- The same for df of 1 and more that is no whole number: between the whole numbers beside it, on a
    line in 1 / df. -#}
{% macro t_quantile_between(df) -%}
    {%- set below = 'cast(floor(' ~ df ~ ') as integer)' -%}
    {%- set above = 'cast(floor(' ~ df ~ ') + 1 as integer)' -%}
    (
        {{ t_quantile(below) }}
        + (({{ t_quantile(above) }}) - ({{ t_quantile(below) }}))
        * (1 - floor({{ df }}) / ({{ df }})) * (floor({{ df }}) + 1)
    )
{%- endmacro %}
