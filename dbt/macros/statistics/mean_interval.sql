{#- CTEs that end in `interval_found`. Per key, it has the 95 % interval <measure>_lo to
    <measure>_hi of the mean of each measure over problems. <measure>_interval_null_reason says why
    there is none.

    kinds names the measures, each with its kind: see `bound_of`. values_cte has the keys, cluster
    (a problem; one row each) and one nullable column per measure.

    Idea: a closed form for each kind, from mean, variance and skew over problems. A share has
    Wilson's bounds, with the trials that its variance allows. A difference has Student's t, and a
    mean with a long tail Hall's t.
    Assumed: problems are drawn independently; samples of one problem count as one value.
    Refused: few problems (`least_clusters`), and differences where few problems differ
    (`least_differing`); interval_null_reason says so.
    Proved: tests/dbt/intervals, and coverage on planted worlds in docs/measured.md. -#}
{% macro mean_interval(values_cte, keys, kinds, cluster='problem_index') -%}
interval_parts as (
    {% for measure, kind in kinds.items() %}
    select
        {{ listed(keys) }}
        {{ cluster }},
        '{{ measure }}' as of_measure,
        '{{ kind }}' as of_kind,
        cast(coalesce({{ measure }}, 0) as double) as top,
        cast({{ measure }} is not null as double) as bottom,
    from {{ values_cte }}
    {{ '' if loop.last else 'union all' }}
    {% endfor %}
),

{{ interval_spreads(keys, kinds, cluster) }}
{%- endmacro %}

{#- CTEs that end in `interval_found`: the same for a sum over problems divided by another, such as a
    mean over pairs. The spread of a ratio is that of its linearised terms: of top - ratio * bottom
    over the mean of bottom (W. G. Cochran 1977, Sampling Techniques, section 6.3).

    values_cte has the keys, cluster (one row each), and per measure the columns <measure>_top and
    <measure>_bottom, never NULL; a problem without a value has 0 in both or no row. -#}
{% macro ratio_interval(values_cte, keys, kinds, cluster='problem_index') -%}
interval_parts as (
    {% for measure, kind in kinds.items() %}
    select
        {{ listed(keys) }}
        {{ cluster }},
        '{{ measure }}' as of_measure,
        '{{ kind }}' as of_kind,
        cast({{ measure }}_top as double) as top,
        cast({{ measure }}_bottom as double) as bottom,
    from {{ values_cte }}
    {{ '' if loop.last else 'union all' }}
    {% endfor %}
),

{{ interval_spreads(keys, kinds, cluster) }}
{%- endmacro %}

{#- CTEs that end in `interval_found`, of the CTE `interval_parts`: one row a key, measure and
    cluster. Each formula is written once for all measures. -#}
{% macro interval_spreads(keys, kinds, cluster) -%}
{% set row = keys + ['of_measure', 'of_kind'] %}
interval_means as (
    select
        {{ listed(row) }}
        count(*) filter (bottom > 0) as n,
        {{ sum_ordered('bottom', cluster) }} / nullif(count(*) filter (bottom > 0), 0) as size,
        {{ sum_ordered('top', cluster) }} / nullif({{ sum_ordered('bottom', cluster) }}, 0) as mean,
        quantile_disc(top / bottom, 0.5) filter (bottom > 0) as median,
    from interval_parts
    group by {{ row | join(', ') }}
),

interval_terms as (
    select
        {{ listed(row, 'means') }}
        parts.{{ cluster }},
        means.n,
        means.mean,
        if(
            parts.bottom > 0,
            (parts.top - means.mean * parts.bottom) / means.size,
            null
        ) as term,
        parts.bottom > 0 and abs(parts.top / parts.bottom - means.median) > 1e-9 as differs,
    from interval_parts as parts
    inner join interval_means as means on {{ equal(row, 'parts', 'means') }}
),

interval_spreads as (
    select
        {{ listed(row) }}
        any_value(n) as n,
        any_value(mean) as mean,
        sum(pow(term, 2) order by {{ cluster }}) filter (term is not null)
        / nullif(any_value(n) - 1, 0) as variance,
        {% if kinds.values() | reject('equalto', 'difference') | list %}
        sum(pow(term, 3) order by {{ cluster }}) filter (term is not null)
        / nullif(any_value(n), 0) as cube,
        {% endif %}
        count(*) filter (differs) as n_differing,
    from interval_terms
    group by {{ row | join(', ') }}
),

{{ interval_bounds(keys, kinds) }}
{%- endmacro %}

{#- A sum in the order of the problems. Zeros add nothing, and are not sorted. -#}
{% macro sum_ordered(value, cluster) -%}
    coalesce(sum({{ value }} order by {{ cluster }}) filter ({{ value }} != 0), 0)
{%- endmacro %}

{#- CTEs that end in `interval_found`, of the CTE `interval_spreads`: per key and measure (of_measure,
    of_kind) the problems n, their mean and variance. For kinds other than share it also has
    n_differing. For kinds other than difference it has `cube`, the third central moment. -#}
{% macro interval_bounds(keys, kinds) -%}
{% set kinds_here = kinds.values() | unique | list %}
interval_reasons as (
    select
        *,
        {{ t_quantile('n - 1') }} as quantile,
        {{ interval_null_reason(kinds_here) }} as null_reason,
        {% if 'share' in kinds_here %}
        greatest(least(mean, 1 - mean), 0) as distance,
        {{ ratio_to_coins('mean', 'variance') }} as ratio,
        if(variance < 1e-18, 1, least(variance / pow(least(mean, 1 - mean), 2), 1)) as hidden,
        {% endif %}
        {% if kinds_here != ['difference'] %}
        if(
            variance < 1e-18, 0, cube / nullif(pow(variance * (n - 1) / n, 1.5), 0)
        ) as skewness,
        {% endif %}
    from interval_spreads
),

{% if 'share' in kinds_here %}
interval_trials as (
    select
        *,
        {% for end, edge, sign in [('lo', 'mean', ''), ('hi', '(1 - mean)', '-')] %}
        greatest(least({{ sign }}skewness, 1), -1) as away_{{ end }},
        least(2 * {{ edge }}, 1) as weight_{{ end }},
        (1 - weight_{{ end }}) * greatest(-away_{{ end }}, 0) as unseen_{{ end }},
        {{ effective_trials('weight_' ~ end, end) }} as trials_{{ end }},
        {{ effective_trials('1', end) }} as trials_full_{{ end }},
        {{ share_quantile(edge, end) }} as quantile_{{ end }},
        {% endfor %}
    from interval_reasons
),
{% endif %}

-- materialized: otherwise DuckDB takes ten times as long to plan the bins of a diagram
interval_ends as materialized (
    select
        *,
        {% for end, sign in [('lo', '-'), ('hi', '+')] %}
        case
            when n = 0 or null_reason is not null then null
            {% for kind in kinds_here %}
            when of_kind = '{{ kind }}' then {{ bound_of(kind, sign) }}
            {% endfor %}
        end as bound_{{ end }},
        {% endfor %}
    from {{ 'interval_trials' if 'share' in kinds_here else 'interval_reasons' }}
),

interval_found as (
    select
        {{ listed(keys) }}
        {% for measure in kinds %}
        any_value(bound_lo) filter (of_measure = '{{ measure }}') as {{ measure }}_lo,
        any_value(bound_hi) filter (of_measure = '{{ measure }}') as {{ measure }}_hi,
        any_value(null_reason) filter (of_measure = '{{ measure }}')
            as {{ measure }}_interval_null_reason,
        {% endfor %}
    from interval_ends
    group by {{ keys | join(', ') }}
)
{%- endmacro %}

{#- Why a mean has no interval: too few problems, or, unless it is a share, too few that differ from
    the median one. A mean of cosines below 0 is no share. -#}
{% macro interval_null_reason(kinds_here) -%}
    case
        when n = 0 then null
        when n < {{ var('least_clusters') }} then 'problems_lt_min'
        when of_kind = 'share' then if(mean not between -1e-9 and 1 + 1e-9, 'not_a_share', null)
        {% if kinds_here != ['share'] %}
        when variance < 1e-18 then 'zero_variance'
        when n_differing < {{ var('least_differing') }} then 'differing_lt_min'
        {% endif %}
    end
{%- endmacro %}

{#- One end of the interval of a mean, by its kind (decision 7 has how often each holds).

    share: of values between 0 and 1. Wilson's interval of as many trials as the problems are worth;
    see `share_bound`.
    difference: of values on both sides of 0. Student's t.
    skewed: of values above 0 with a long tail. Student's t of a statistic without skewness, turned
    back (P. Hall 1992, Journal of the Royal Statistical Society B 54, 221-228). -#}
{% macro bound_of(kind, sign) -%}
    {%- if kind == 'share' -%}
        {{ share_bound(sign) }}
    {%- elif kind == 'difference' -%}
        mean {{ sign }} quantile * sqrt(variance / n)
    {%- else -%}
        {%- set t = ('-' if sign == '+' else '') ~ 'quantile' -%}
        {%- set skew = 'skewness / sqrt(n)' -%}
        mean - sqrt(variance / n) * if(
            abs({{ skew }}) < 1e-6,
            {{ t }},
            3 / ({{ skew }}) * (cbrt(1 + {{ skew }} * ({{ t }} - {{ skew }} / 6)) - 1)
        )
    {%- endif -%}
{%- endmacro %}
