{#- CTEs that end in `interval_found`: per key and measure, the percentile interval of a sum over
    problems divided by another, from a cluster bootstrap over the problems of the release
    (semantics 6.1). A mean over problems is such a ratio, and so is a mean over pairs.

    values_cte has the keys (entry_no of counterfactual entries among them), problem_index, and per
    measure the columns <measure>_top and <measure>_bottom, never NULL; a problem without a value
    has 0 in both or no row. A replicate whose bottom is 0 is dropped; when more than 5 % are
    dropped there is no interval. -#}
{% macro ratio_interval(values_cte, keys, measures) -%}
ratio_keys as (
    select distinct
        {% for key in keys %}
        {{ values_cte }}.{{ key }},
        {% endfor %}
        entry_releases.release_no,
        entry_releases.n_dataset,
    from {{ values_cte }}
    inner join {{ ref('int_counterfactual_entry_numbered') }} as entry_releases
        on {{ values_cte }}.entry_no = entry_releases.entry_no
),

-- every problem of the release has its place: to pick places from 2,000 lists of weights costs
-- three times what the sums do
ratio_padded as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        problem_index,
        {% for measure in measures %}
        cast({{ measure }}_top as double) as {{ measure }}_top,
        cast({{ measure }}_bottom as double) as {{ measure }}_bottom,
        {% endfor %}
    from {{ values_cte }}
    union all
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        unnest(range(1, n_dataset + 1)) as problem_index,
        {% for measure in measures %}
        0.0 as {{ measure }}_top,
        0.0 as {{ measure }}_bottom,
        {% endfor %}
    from ratio_keys
),

ratio_places as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        problem_index,
        {% for measure in measures %}
        sum({{ measure }}_top) as {{ measure }}_top,
        sum({{ measure }}_bottom) as {{ measure }}_bottom,
        {% endfor %}
    from ratio_padded
    group by {{ keys | join(', ') }}, problem_index
),

ratio_vectors as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        {% for measure in measures %}
        list({{ measure }}_top order by problem_index) as {{ measure }}_top,
        list({{ measure }}_bottom order by problem_index) as {{ measure }}_bottom,
        {% endfor %}
    from ratio_places
    group by {{ keys | join(', ') }}
),

ratio_weights as (
    select
        {% for key in keys %}
        ratio_vectors.{{ key }},
        {% endfor %}
        {% for measure in measures %}
        ratio_vectors.{{ measure }}_top,
        ratio_vectors.{{ measure }}_bottom,
        {% endfor %}
        bootstrap.weights,
    from ratio_vectors
    inner join ratio_keys
        on
            {% for key in keys %}
            ratio_vectors.{{ key }} = ratio_keys.{{ key }}
            {{ 'and' if not loop.last }}
            {% endfor %}
    inner join {{ ref('int_bootstrap_weighted') }} as bootstrap
        on ratio_keys.release_no = bootstrap.release_no
),

ratio_replicates as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        {% for measure in measures %}
        list_inner_product(weights, {{ measure }}_top)
        / nullif(list_inner_product(weights, {{ measure }}_bottom), 0) as {{ measure }},
        {% endfor %}
    from ratio_weights
),

ratio_quantiles as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        {% for measure in measures %}
        count({{ measure }}) as {{ measure }}_replicates,
        count({{ measure }})
        >= {{ var('bootstrap_min_defined') }} * {{ var('bootstrap_replicates') }}
            as {{ measure }}_enough,
        quantile_cont({{ measure }}, [0.025, 0.975]) as {{ measure }}_bounds,
        {% endfor %}
    from ratio_replicates
    group by all
),

interval_found as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        {% for measure in measures %}
        {{ measure }}_replicates,
        if({{ measure }}_enough, {{ measure }}_bounds[1], null) as {{ measure }}_lo,
        if({{ measure }}_enough, {{ measure }}_bounds[2], null) as {{ measure }}_hi,
        {% endfor %}
    from ratio_quantiles
)
{%- endmacro %}
