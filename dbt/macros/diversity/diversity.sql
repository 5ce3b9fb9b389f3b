{#- Formulas of Chon et al. (arXiv 2408.14504, section 3.3) for one problem with n samples, c of
    them right. csim is the mean similarity of pairs of right ones (NULL below two). -#}

{#- A pair is a clone when it shares at least ceil(threshold * larger) tokens; two empty codes are
    not. The threshold is an exact decimal. -#}
{% macro is_clone(n_shared, n_a, n_b, threshold) -%}
    case
        when greatest({{ n_a }}, {{ n_b }}) = 0 then 0.0
        when {{ n_shared }} >= ceil({{ threshold }} * greatest({{ n_a }}, {{ n_b }})) then 1.0
        else 0.0
    end
{%- endmacro %}

{#- Shared tokens over the larger number of tokens; two empty codes share nothing. -#}
{% macro overlap_ratio(n_shared, n_a, n_b) -%}
    coalesce({{ n_shared }} / nullif(greatest({{ n_a }}, {{ n_b }}), 0), 0.0)
{%- endmacro %}

{#- A level of a judge or a person, from 1 to 5, as a similarity from 0 to 1. The paper prints percent
    and leaves the step open; its smallest value, 6.5 %, fits this one alone. -#}
{% macro level_as_share(level) -%}
    ({{ level }} - 1) / 4
{%- endmacro %}

{#- DPass = pass@1 (1 - CSim), equation 3. None right: 0. One right: 1 / n, nothing is redundant.
    No samples, or two right whose similarity is unknown: NULL. -#}
{% macro dpass(n, c, csim) -%}
    case
        when {{ n }} = 0 then null
        when {{ c }} < 2 then {{ c }} / {{ n }}
        else {{ c }} / {{ n }} * (1 - {{ csim }})
    end
{%- endmacro %}

{#- DPair: the chance that two different samples are both right and unlike each other. Fewer than
    two right: 0. Fewer than two samples: NULL. -#}
{% macro dpair(n, c, csim) -%}
    case
        when {{ n }} < 2 then null
        when {{ c }} < 2 then 0.0
        else {{ c }} * ({{ c }} - 1) / ({{ n }} * ({{ n }} - 1)) * (1 - {{ csim }})
    end
{%- endmacro %}

{#- Pairs between n samples of one candidate and m of another, or among n of the same. -#}
{% macro pairs_between(is_same, n, m) -%}
    if({{ is_same }}, {{ n }} * ({{ n }} - 1) // 2, {{ n }} * {{ m }})
{%- endmacro %}

{#- The square of a similarity, as a decimal: sums of them do not depend on the order of rows. Products
    of decimals are a hundred times as slow as those of floating point numbers. -#}
{% macro square(value) -%}
    cast(pow(cast({{ value }} as double), 2) as decimal(18, 15))
{%- endmacro %}
