{#- One end of Fisher's 95 % interval of a correlation of n pairs (R. A. Fisher, 1921); NULL below
    four pairs. -#}
{% macro fisher_bound(r, n, sign) -%}
    case
        when {{ n }} < 4 then null
        when abs({{ r }}) >= 1 then {{ r }}
        else tanh(atanh({{ r }}) {{ sign }} {{ var('normal_quantile') }} / sqrt({{ n }} - 3))
    end
{%- endmacro %}

{#- Pearson's r of two columns of a group, NULL where one of them does not vary. For equal columns,
    sums of floating point numbers can miss 1 by the last bit. So a value within 1e-12 of 1 or -1
    becomes 1 or -1. -#}
{% macro pearson(x, y) -%}
    case
        when max({{ x }}) - min({{ x }}) <= 1e-9 or max({{ y }}) - min({{ y }}) <= 1e-9 then null
        when abs(corr({{ x }}, {{ y }})) > 1 - 1e-12 then sign(corr({{ x }}, {{ y }}))
        else corr({{ x }}, {{ y }})
    end
{%- endmacro %}

{#- Two-sided p value of a correlation r of n pairs: Student's t of r sqrt((n - 2) / (1 - r²)) with
    n - 2 degrees of freedom. The form is closed (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4;
    their angle is asin |r|). For Spearman's rho it is an approximation. NULL below three pairs, and
    where |r| is 1, since t has no value there. -#}
{% macro correlation_p(r, n) -%}
    case
        when {{ r }} is null or {{ n }} < 3 or abs({{ r }}) > 1 - 1e-12 then null
        when {{ n }} % 2 = 1
            then greatest(0, 1 - 2 / pi() * (
                asin(abs({{ r }})) + abs({{ r }}) * sqrt(pi()) / 2 * coalesce(
                    list_sum(list_transform(
                        range(({{ n }} - 3) // 2),
                        lambda j: exp(lgamma(j + 1) - lgamma(j + 1.5))
                        * pow(1 - {{ r }} * {{ r }}, j + 0.5)
                    )),
                    0
                )
            ))
        else
            greatest(0, 1 - abs({{ r }}) / sqrt(pi()) * list_sum(list_transform(
                range(({{ n }} - 2) // 2),
                lambda j: exp(lgamma(j + 0.5) - lgamma(j + 1)) * pow(1 - {{ r }} * {{ r }}, j)
            )))
    end
{%- endmacro %}

{#- Rank of x in its group; equal values share the mean of their ranks. -#}
{% macro mid_rank(x, keys) -%}
    rank() over (partition by {{ keys | join(', ') }} order by {{ x }})
    + (count(*) over (partition by {{ keys | join(', ') }}, {{ x }}) - 1) / 2
{%- endmacro %}

{#- CTEs that end in `intervals`: per key, the 95 % interval of Pearson's r of a and b over all rows.
    values_cte has the keys, problem_index, a and b. Problems are left out one by one (the jackknife;
    R. G. Miller 1974), because rows of one problem are not independent. Each time r is computed
    again, on Fisher's z. The interval is Student's t of z. A few of the n values may say little of
    their variance, so the degrees of freedom are as many as their kurtosis allows (decision 7).
    There is no row where r is 1 or -1, or has no value, without one of the problems. -#}
{% macro correlation_interval(values_cte, keys) -%}
{% set sums = ['n', 'a', 'b', 'aa', 'bb', 'ab'] %}
-- sorting a list takes a sixth of the time of a sum with an order, and gives the same bits
problems_gathered as (
    select
        {{ listed(keys) }}
        problem_index,
        cast(count(*) as double) as n,
        list_sort(list(cast(a as double))) as sorted_a,
        list_sort(list(cast(b as double))) as sorted_b,
        list_sort(list(cast(a as double) * b)) as sorted_ab,
    from {{ values_cte }}
    group by {{ keys | join(', ') }}, problem_index
),

problem_sums as (
    select
        {{ listed(keys) }}
        problem_index,
        n,
        list_sum(sorted_a) as a,
        list_sum(sorted_b) as b,
        list_sum(list_transform(sorted_a, lambda each: each * each)) as aa,
        list_sum(list_transform(sorted_b, lambda each: each * each)) as bb,
        list_sum(sorted_ab) as ab,
    from problems_gathered
),

all_sums as (
    select
        {{ listed(keys) }}
        {% for sum in sums %}
        list_sum(list({{ sum }} order by problem_index)) as {{ sum }},
        {% endfor %}
    from problem_sums
    group by {{ keys | join(', ') }}
),

-- the sums with all problems (without none), and without each of them
sums_left as (
    select
        {{ listed(keys) }}
        cast(null as bigint) as without_problem,
        {{ listed(sums) }}
    from all_sums
    union all
    select
        {{ listed(keys, 'all_sums') }}
        problem_sums.problem_index as without_problem,
        {% for sum in sums %}
        all_sums.{{ sum }} - problem_sums.{{ sum }} as {{ sum }},
        {% endfor %}
    from all_sums
    inner join problem_sums on {{ equal(keys, 'all_sums', 'problem_sums') }}
),

spreads as (
    select
        {{ listed(keys) }}
        without_problem,
        n * aa - a * a as spread_a,
        n * bb - b * b as spread_b,
        n * ab - a * b as spread_ab,
    from sums_left
),

correlations_left as (
    select
        {{ listed(keys) }}
        without_problem,
        if(spread_a > 1e-9 and spread_b > 1e-9, spread_ab / sqrt(spread_a * spread_b), null)
            as pearson,
    from spreads
),

fisher_values as (
    select
        {{ listed(keys) }}
        without_problem,
        if(abs(pearson) < 1 - 1e-12, atanh(pearson), null) as z,
    from correlations_left
),

z_listed as (
    select
        {{ listed(keys) }}
        any_value(z) filter (without_problem is null) as z,
        list(z order by without_problem) filter (without_problem is not null) as values_left,
        count(*) - 1 as n,
        count(z) = count(*) as is_defined,
    from fisher_values
    group by {{ keys | join(', ') }}
),

z_apart as (
    select
        {{ listed(keys) }}
        z,
        n,
        list_transform(values_left, lambda each: each - list_sum(values_left) / n) as apart,
    from z_listed
    where is_defined and n > 1
),

z_moments as (
    select
        {{ listed(keys) }}
        z,
        n,
        list_sum(list_transform(apart, lambda each: each * each)) as squares,
        list_sum(list_transform(apart, lambda each: pow(each, 4))) as fourths,
    from z_apart
),

-- a normal sample of so many degrees of freedom has as uncertain a variance
z_freed as (
    select
        {{ listed(keys) }}
        z,
        sqrt((n - 1) / n * squares) as standard_error,
        cast(
            greatest(1, least(n - 1, floor(2 * n / greatest(
                n * fourths / (squares * squares) - 1, 1e-9
            ))))
            as integer
        ) as degrees,
    from z_moments
    where squares > 1e-18
),

intervals as (
    select
        {{ listed(keys) }}
        tanh(z - {{ t_quantile('degrees') }} * standard_error) as low,
        tanh(z + {{ t_quantile('degrees') }} * standard_error) as high,
    from z_freed
)
{%- endmacro %}

{#- Pearson's r with its interval, and why either is missing: from the CTEs `reasoned`, which has
    pearson and null_reason, and `intervals`. Over too few problems there is none. -#}
{% macro correlation_columns(n_problems, least_problems) -%}
    {%- set enough = 'reasoned.null_reason is null and ' ~ n_problems ~ ' >= ' ~ least_problems -%}
    if(reasoned.null_reason is null, reasoned.pearson, null) as pearson,
    if({{ enough }}, intervals.low, null) as pearson_lo,
    if({{ enough }}, intervals.high, null) as pearson_hi,
    reasoned.null_reason,
    case
        when reasoned.null_reason is not null then reasoned.null_reason
        when {{ n_problems }} < {{ least_problems }} then 'problems_lt_min'
        when intervals.low is null then 'no_variation'
    end as interval_null_reason,
    if({{ enough }} and intervals.low is not null, 'jackknife', null) as interval_method,
{%- endmacro %}
