{#- Unbiased pass@k of one problem: 1 - C(n - c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374,
    equation 1). The quotient of binomials is the product of (n - max(c, k) - j) / (n - j) for
    j below min(c, k), which neither overflows nor cancels. No samples or fewer than k: NULL. None
    right: 0. All right, or fewer than k wrong: 1. One sample drawn: c / n. -#}
{% macro pass_at_k(n, c, k) -%}
    case
        when {{ n }} < {{ k }} or {{ k }} < 1 then null
        when {{ c }} = 0 then 0.0
        when {{ n }} - {{ c }} < {{ k }} then 1.0
        when {{ k }} = 1 then {{ c }} / {{ n }}
        else
            1 - list_product(
                list_transform(
                    range(least({{ c }}, {{ k }})),
                    lambda j: ({{ n }} - greatest({{ c }}, {{ k }}) - j) / ({{ n }} - j)
                )
            )
    end
{%- endmacro %}

{#- Unbiased estimate of the variance of that estimator over draws of n samples. q(k) is the
    unbiased estimate of the chance that k samples are wrong. The variance is the square of q(k)
    less q(2k), which estimates the square of its mean. NULL below 2k samples. For k = 1 it is m (1
    - m) / (n - 1), the share m being right. -#}
{% macro pass_at_k_variance(n, c, k) -%}
    pow(1 - ({{ pass_at_k(n, c, k) }}), 2) - (1 - ({{ pass_at_k(n, c, '(2 * ' ~ k ~ ')') }}))
{%- endmacro %}
