{#- CTEs that end in `interval_found`: per key, the percentile interval of the mean of each measure
    over problems, from a cluster bootstrap over the problems of the release (decision 7).

    values_cte has the keys (entry_no of `entries` among them), problem_index and one nullable column
    per measure. -#}
{% macro mean_interval(values_cte, keys, measures, entries=none) -%}
mean_parts as (
    select
        {{ listed(keys) }}
        problem_index,
        {% for measure in measures %}
        coalesce({{ measure }}, 0) as {{ measure }}_top,
        cast({{ measure }} is not null as double) as {{ measure }}_bottom,
        {% endfor %}
    from {{ values_cte }}
),

{{ ratio_interval('mean_parts', entries or ref('int_entry_numbered'), keys, measures) }}
{%- endmacro %}

{#- CTEs that end in `interval_found`: the same for a sum over problems divided by another, such as a
    mean over pairs.

    values_cte has the keys (entry_no of `entries` among them), problem_index, and per measure the
    columns <measure>_top and <measure>_bottom, never NULL; a problem without a value has 0 in both
    or no row. The weights are shared by every language model on a release, so intervals of
    differences can be paired. A replicate whose bottom is 0 is dropped; when more than 5 % are
    dropped there is no interval. -#}
{% macro ratio_interval(values_cte, entries, keys, measures) -%}
interval_keys as (
    select distinct
        {{ listed(keys, values_cte) }}
        numbered.n_dataset,
    from {{ values_cte }}
    inner join {{ entries }} as numbered on {{ values_cte }}.entry_no = numbered.entry_no
),

-- every problem of the release has its place: to pick places from 2,000 lists of weights costs
-- three times what the sums do; stacking and grouping, because the planner takes the outer join
-- that says the same for a tiny one and loops
interval_parts as (
    select
        {{ listed(keys) }}
        problem_index,
        {% for measure in measures %}
        cast({{ measure }}_top as double) as {{ measure }}_top,
        cast({{ measure }}_bottom as double) as {{ measure }}_bottom,
        {% endfor %}
    from {{ values_cte }}
    union all
    select
        {{ listed(keys) }}
        unnest(range(1, n_dataset + 1)) as problem_index,
        {% for measure in measures %}
        0.0 as {{ measure }}_top,
        0.0 as {{ measure }}_bottom,
        {% endfor %}
    from interval_keys
),

places as (
    select
        {{ listed(keys) }}
        problem_index,
        {% for measure in measures %}
        sum({{ measure }}_top) as {{ measure }}_top,
        sum({{ measure }}_bottom) as {{ measure }}_bottom,
        {% endfor %}
    from interval_parts
    group by {{ keys | join(', ') }}, problem_index
),

vectors as (
    select
        {{ listed(keys) }}
        {% for measure in measures %}
        list({{ measure }}_top order by problem_index) as {{ measure }}_top,
        list({{ measure }}_bottom order by problem_index) as {{ measure }}_bottom,
        {% endfor %}
    from places
    group by {{ keys | join(', ') }}
),

replicates as (
    select
        {{ listed(keys, 'vectors') }}
        {{ weighted_ratios(measures, 'bootstrap', 'vectors') }}
    from vectors
    inner join {{ entries }} as numbered on vectors.entry_no = numbered.entry_no
    inner join {{ ref('int_bootstrap_weighted') }} as bootstrap
        on numbered.release_no = bootstrap.release_no
),

{{ percentile_intervals('replicates', keys, measures, 'interval_found') }}
{%- endmacro %}

{#- Per measure, the ratio of the weighted sums of its two vectors, in the order of the weights. -#}
{% macro weighted_ratios(measures, weighted, vectors) -%}
    {%- for measure in measures %}
    list_inner_product({{ weighted }}.weights, {{ vectors }}.{{ measure }}_top)
    / nullif(list_inner_product({{ weighted }}.weights, {{ vectors }}.{{ measure }}_bottom), 0)
        as {{ measure }},
    {%- endfor %}
{%- endmacro %}

{#- CTEs that end in one named `found`: per key and measure, the ends <measure>_lo and <measure>_hi of
    the 95 % percentile interval, and how many replicates have a value, <measure>_replicates.

    replicates_cte has the keys and one nullable column per measure. -#}
{% macro percentile_intervals(replicates_cte, keys, measures, found) -%}
{{ found }}_quantiles as (
    select
        {{ listed(keys) }}
        {% for measure in measures %}
        count({{ measure }}) as {{ measure }}_replicates,
        {{ enough_replicates(measure) }} as {{ measure }}_enough,
        quantile_cont({{ measure }}, [0.025, 0.975]) as {{ measure }}_bounds,
        {% endfor %}
    from {{ replicates_cte }}
    group by all
),

{{ found }} as (
    select
        {{ listed(keys) }}
        {% for measure in measures %}
        {{ measure }}_replicates,
        if({{ measure }}_enough, {{ measure }}_bounds[1], null) as {{ measure }}_lo,
        if({{ measure }}_enough, {{ measure }}_bounds[2], null) as {{ measure }}_hi,
        {% endfor %}
    from {{ found }}_quantiles
)
{%- endmacro %}

{#- Whether enough replicates of a group have a value for an interval (decision 7). -#}
{% macro enough_replicates(value) -%}
    count({{ value }}) >= {{ var('bootstrap_min_defined') }} * {{ var('bootstrap_replicates') }}
{%- endmacro %}
