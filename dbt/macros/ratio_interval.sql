{#- CTEs that end in `interval_found`: per key and measure, the percentile interval of a sum over
    problems divided by another, from a cluster bootstrap over the problems of the release
    (semantics 6.1). A mean over problems is such a ratio, and so is a mean over pairs.

    values_cte has the keys (entry_no of counterfactual entries among them), problem_index, and per
    measure the columns <measure>_top and <measure>_bottom, never NULL; a problem without a value
    has 0 in both or no row. A replicate whose bottom is 0 is dropped; when more than 5 % are
    dropped there is no interval. -#}
{% macro ratio_interval(values_cte, keys, measures) -%}
ratio_vectors as (
    select
        {% for key in keys %}
        {{ values_cte }}.{{ key }},
        {% endfor %}
        entry_releases.release_no,
        list(cast({{ values_cte }}.problem_index as bigint) order by {{ values_cte }}.problem_index)
            as places,
        {% for measure in measures %}
        {% for part in ['top', 'bottom'] %}
        list(
            cast({{ values_cte }}.{{ measure }}_{{ part }} as double)
            order by {{ values_cte }}.problem_index
        ) as {{ measure }}_{{ part }},
        {% endfor %}
        {% endfor %}
    from {{ values_cte }}
    inner join {{ ref('int_counterfactual_entry_numbered') }} as entry_releases
        on {{ values_cte }}.entry_no = entry_releases.entry_no
    group by
        {% for key in keys %}
        {{ values_cte }}.{{ key }},
        {% endfor %}
        entry_releases.release_no
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
        list_select(bootstrap.weights, ratio_vectors.places) as weights,
    from ratio_vectors
    inner join {{ ref('int_bootstrap_weighted') }} as bootstrap
        on ratio_vectors.release_no = bootstrap.release_no
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
