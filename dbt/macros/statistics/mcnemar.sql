{#- Exact two-sided McNemar test (Q. McNemar, 1947): the probability that a fair coin splits the
    discordant pairs as unevenly as into b and c. Terms are added as logarithms, so that thousands
    of pairs neither underflow nor lose their digits; an even split, or none, gives 1. -#}
{% macro mcnemar_p(b, c) -%}
    least(1.0, 2 * list_sum(list_transform(
        range(0, least({{ b }}, {{ c }}) + 1),
        lambda i: exp(
            lgamma({{ b }} + {{ c }} + 1)
            - lgamma(i + 1)
            - lgamma({{ b }} + {{ c }} - i + 1)
            - ({{ b }} + {{ c }}) * ln(2)
        )
    )))
{%- endmacro %}
