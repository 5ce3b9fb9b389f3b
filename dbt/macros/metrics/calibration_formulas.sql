{#- The logit of a score as version 1 has it: clipped to [1e-6, 1 - 1e-6]. -#}
{% macro logit_clipped(p) -%}
    ln(greatest(least({{ p }}, 1 - 1e-6), 1e-6) / (1 - greatest(least({{ p }}, 1 - 1e-6), 1e-6)))
{%- endmacro %}

{#- The logit of a score from its logarithm, as version 2 has it: log p - log(1 - p), clipped above
    at 1 - 1e-6 only, so that exp(-50) is -50. A score of exactly 0 without its logarithm
    has no logit: it is taken as 1e-6. -#}
{% macro logit_of_log(log_p) -%}
    least({{ log_p }}, ln(1 - 1e-6)) - ln(1 - exp(least({{ log_p }}, ln(1 - 1e-6))))
{%- endmacro %}

{#- The bin of a score, from 0. There are ten of equal width, closed on the left, the last one on
    both sides. Scores are rounded to seven decimals first (calipy's rule, in whole numbers). No
    score, no bin: least() would pass over NULL. -#}
{% macro calibration_bin(p) -%}
    cast(floor(({{ p }} * 1e7 + 0.5) / 1e6) - floor(({{ p }} * 1e7 + 0.5) / 1e7) as tinyint)
{%- endmacro %}

{#- The logistic curve; far below 0 it is 0. -#}
{% macro sigmoid(z) -%}
    1 / (1 + exp(-({{ z }})))
{%- endmacro %}

{#- The skill score: how much of the constant base rate's Brier score a confidence removes; NULL where
    all labels are alike. -#}
{% macro skill_score(brier, brier_reference, n_positive, n_used) -%}
    if(
        {{ n_positive }} between 1 and {{ n_used }} - 1,
        ({{ brier_reference }} - {{ brier }}) / {{ brier_reference }},
        null
    )
{%- endmacro %}

{#- CTEs that end in `levels`: the rows of `pairs` added up by subject and score. `wy` and `wn` are
    the weights of right and of wrong rows with this score. `w_right` and `w_wrong` are those of
    rows that score at most as high. -#}
{% macro score_levels() -%}
scores as (
    select
        subject_no,
        p,
        count(*) as n,
        sum(w * w) as ww,
        sum(if(y, w, 0.0)) as wy,
        sum(w) - sum(if(y, w, 0.0)) as wn,
    from pairs
    group by all
),

levels as (
    select
        subject_no,
        p,
        cast(n as integer) as n,
        ww,
        wy,
        wn,
        sum(wy) over score_order as w_right,
        sum(wn) over score_order as w_wrong,
    from scores
    window score_order as (partition by subject_no order by p)
)
{%- endmacro %}

{#- The CTE `ranks_compared`: sums over the `levels` of a subject. `excess` compares each right row
    with each wrong row. Pairs in which the right row scores higher add their weight, the others subtract
    it. Rows of one score do both, which cancels. -#}
{% macro ranks_compared() -%}
ranks_compared as (
    select
        subject_no,
        sum(wy * w_wrong - wn * w_right) as excess,
        max(w_right) as w_right,
        max(w_wrong) as w_wrong,
    from levels
    group by all
)
{%- endmacro %}

{#- The area under the ROC curve, from a row of `ranks_compared`; sums of weights may miss 0 and 1 by
    their rounding. -#}
{% macro auroc(ranks) -%}
    case
        when {{ ranks }}.w_right * {{ ranks }}.w_wrong > 0
            then least(
                greatest(0.5 + {{ ranks }}.excess / (2 * {{ ranks }}.w_right * {{ ranks }}.w_wrong), 0), 1
            )
    end
{%- endmacro %}

{#- Over how many random splits version 2 averages what it rescales. With so many, their chance mostly
    adds less than a tenth of the sampling error (docs/measured.md). `assay calibrate` fits as many. -#}
{% macro calibration_splits(n_rows) -%}
    greatest(
        1,
        least(
            {{ var('most_splits') }},
            greatest({{ var('enough_splits') }}, {{ var('enough_rows') }} // {{ n_rows }}),
            {{ var('rows_rescaled') }} // {{ n_rows }}
        )
    )
{%- endmacro %}
