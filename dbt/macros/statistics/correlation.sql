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

{#- CTEs that end in `intervals`. Per key, it has the percentile interval of Pearson's r of a and b
    over all rows of a group. The interval comes from a cluster bootstrap over the problems of the
    release: rows of one problem are drawn together.

    values_cte has the keys, problem_index, a and b; groups_cte the keys, release_no and n_dataset of
    every group that is to have an interval. -#}
{% macro correlation_interval(values_cte, groups_cte, keys) -%}
{% set sums = ['n', 'a', 'b', 'aa', 'bb', 'ab'] %}
-- each problem of the release has a place, in the same order as in the lists of weights
padded as (
    select
        {{ listed(keys) }}
        problem_index,
        1.0 as n,
        cast(a as double) as a,
        cast(b as double) as b,
    from {{ values_cte }}
    union all
    select
        {{ listed(keys) }}
        unnest(range(1, n_dataset + 1)) as problem_index,
        0.0 as n,
        0.0 as a,
        0.0 as b,
    from {{ groups_cte }}
),

-- sorting a list takes a sixth of the time of a sum with an order, and gives the same bits
gathered as (
    select
        {{ listed(keys) }}
        problem_index,
        cast(sum(n) as double) as n,
        list_sort(list(a)) as sorted_a,
        list_sort(list(b)) as sorted_b,
        list_sort(list(a * b)) as sorted_ab,
    from padded
    group by {{ keys | join(', ') }}, problem_index
),

places as (
    select
        {{ listed(keys) }}
        problem_index,
        n,
        list_sum(sorted_a) as a,
        list_sum(sorted_b) as b,
        list_sum(list_transform(sorted_a, lambda each: each * each)) as aa,
        list_sum(list_transform(sorted_b, lambda each: each * each)) as bb,
        list_sum(sorted_ab) as ab,
    from gathered
),

vectors as (
    select
        {{ listed(keys) }}
        {% for sum in sums %}
        list({{ sum }} order by problem_index) as {{ sum }},
        {% endfor %}
    from places
    group by {{ keys | join(', ') }}
),

vectors_of_release as (
    select
        vectors.*,
        {{ groups_cte }}.release_no,
    from {{ groups_cte }}
    inner join vectors
        on
            {% for key in keys %}
            {{ groups_cte }}.{{ key }} = vectors.{{ key }}{{ ' and' if not loop.last }}
            {% endfor %}
),

vectors_listed as (
    select
        {{ listed(keys) }}
        release_no,
        unnest({{ sums }}) as name,
        unnest([{{ sums | join(', ') }}]) as vector,
    from vectors_of_release
),

-- many groups of an entry have equal vectors: sums of each distinct vector are computed once.
-- Read twice, so materialized: both readers must see the same numbers
vectors_numbered as materialized (
    select
        row_number() over () as vector_no,
        release_no,
        vector,
    from vectors_listed
    group by release_no, vector
),

-- a join by hash would copy a list for each replicate: DuckDB cannot join this condition by hash
vector_sums as (
    select
        vectors_numbered.vector_no,
        list(
            list_inner_product(bootstrap.weights, vectors_numbered.vector)
            order by bootstrap.replicate
        ) as sums,
    from vectors_numbered
    inner join {{ ref('int_bootstrap_weighted') }} as bootstrap
        on vectors_numbered.release_no - bootstrap.release_no = 0
    group by vectors_numbered.vector_no
),

sums_gathered as (
    select
        {{ listed(keys, 'vectors_listed') }}
        {% for sum in sums %}
        any_value(vector_sums.sums) filter (vectors_listed.name = '{{ sum }}') as {{ sum }},
        {% endfor %}
    from vectors_listed
    inner join vectors_numbered
        on
            vectors_listed.release_no = vectors_numbered.release_no
            and vectors_listed.vector = vectors_numbered.vector
    inner join vector_sums on vectors_numbered.vector_no = vector_sums.vector_no
    group by all
),

-- a row for each replicate
drawn as (
    select
        {{ listed(keys) }}
        {% for sum in sums %}
        unnest({{ sum }}) as sum_{{ sum }},
        {% endfor %}
    from sums_gathered
),

spreads as (
    select
        {{ listed(keys) }}
        sum_n * sum_aa - sum_a * sum_a as spread_a,
        sum_n * sum_bb - sum_b * sum_b as spread_b,
        sum_n * sum_ab - sum_a * sum_b as spread_ab,
    from drawn
),

-- a replicate in which a or b does not vary has no correlation
replicates as (
    select
        {{ listed(keys) }}
        if(spread_a > 1e-9 and spread_b > 1e-9, spread_ab / sqrt(spread_a * spread_b), null)
            as pearson,
    from spreads
),

intervals as (
    select
        {{ listed(keys) }}
        count(pearson) as n_replicates,
        {{ enough_replicates('pearson') }} as is_enough,
        quantile_cont(pearson, [0.025, 0.975]) as bounds,
    from replicates
    group by all
)
{%- endmacro %}

{#- Pearson's r with its interval, and why either is missing: from the CTEs `reasoned`, which has
    pearson and null_reason, and `intervals`. Over too few problems the interval is too short. -#}
{% macro correlation_columns(n_problems, least_problems) -%}
    {%- set bounded = 'reasoned.null_reason is null and intervals.is_enough' -%}
    if(reasoned.null_reason is null, reasoned.pearson, null) as pearson,
    if({{ bounded }}, intervals.bounds[1], null) as pearson_lo,
    if({{ bounded }}, intervals.bounds[2], null) as pearson_hi,
    reasoned.null_reason,
    case
        when reasoned.null_reason is not null then reasoned.null_reason
        when {{ n_problems }} < {{ least_problems }} then 'problems_lt_min'
        when not intervals.is_enough then 'undefined_replicates'
    end as interval_null_reason,
    if({{ bounded }}, 'cluster_bootstrap', null) as interval_method,
    intervals.n_replicates,
    cast({{ var('bootstrap_seed') }} as bigint) as seed,
{%- endmacro %}

{#- Whether enough replicates of a group have a value for an interval (decision 7). -#}
{% macro enough_replicates(value) -%}
    count({{ value }}) >= {{ var('bootstrap_min_defined') }} * {{ var('bootstrap_replicates') }}
{%- endmacro %}
