{#- CTEs that end in `interval_found`: per key, the mean of each measure over problems and its
    percentile interval from a cluster bootstrap over the problems of the release (semantics 6.1).

    values_cte has the keys (entry_no among them), problem_index and one nullable column per
    measure. The weights are shared by every language model on a release, so intervals of
    differences can be paired. A replicate in which no problem has a value is dropped; when more
    than 5 % are dropped there is no interval. -#}
{% macro bootstrap_interval(values_cte, keys, measures) -%}
entries_of_values as (
    select distinct
        {% for key in keys %}
        {{ values_cte }}.{{ key }},
        {% endfor %}
        entry_releases.release_no,
    from {{ values_cte }}
    inner join {{ ref('int_entry_numbered') }} as entry_releases
        on {{ values_cte }}.entry_no = entry_releases.entry_no
),

-- every problem of the release has its place, with or without a value; stacking and grouping,
-- because the planner takes the outer join that says the same for a tiny one and loops
places as (
    select
        {% for key in keys %}
        entries_of_values.{{ key }},
        {% endfor %}
        entries_of_values.release_no,
        release_problems.problem_index,
        {% for measure in measures %}
        cast(null as double) as {{ measure }},
        {% endfor %}
    from entries_of_values
    inner join {{ ref('int_problem_numbered') }} as release_problems
        on entries_of_values.release_no = release_problems.release_no
    union all
    select
        {% for key in keys %}
        {{ values_cte }}.{{ key }},
        {% endfor %}
        entry_releases.release_no,
        {{ values_cte }}.problem_index,
        {% for measure in measures %}
        {{ values_cte }}.{{ measure }},
        {% endfor %}
    from {{ values_cte }}
    inner join {{ ref('int_entry_numbered') }} as entry_releases
        on {{ values_cte }}.entry_no = entry_releases.entry_no
),

values_padded as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        release_no,
        problem_index,
        {% for measure in measures %}
        any_value({{ measure }}) as {{ measure }},
        {% endfor %}
    from places
    group by {{ keys | join(', ') }}, release_no, problem_index
),

value_vectors as (
    select
        {% for key in keys %}
        {{ key }},
        {% endfor %}
        release_no,
        {% for measure in measures %}
        list(coalesce({{ measure }}, 0) order by problem_index) as {{ measure }}_values,
        list(cast({{ measure }} is not null as double) order by problem_index)
            as {{ measure }}_defined,
        {% endfor %}
    from values_padded
    group by {{ keys | join(', ') }}, release_no
),

replicates as (
    select
        {% for key in keys %}
        value_vectors.{{ key }},
        {% endfor %}
        {% for measure in measures %}
        list_inner_product(bootstrap.weights, value_vectors.{{ measure }}_values)
        / nullif(list_inner_product(bootstrap.weights, value_vectors.{{ measure }}_defined), 0)
            as {{ measure }},
        {% endfor %}
    from value_vectors
    inner join {{ ref('int_bootstrap_weighted') }} as bootstrap
        on value_vectors.release_no = bootstrap.release_no
),

quantiles as (
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
    from replicates
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
    from quantiles
)
{%- endmacro %}
