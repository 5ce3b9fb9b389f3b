{#- CTEs that end in `bootstrap_weighted`. Per key and replicate, `weights` has how often each of n
    members is drawn. They are drawn with replacement, in the order of their places 1 to n.

    groups_cte has the key and the column n. A draw depends on the seed, the replicate, its place
    and n alone (decision 7). So groups of the same size share their draws, and the difference of
    two of them can be taken replicate by replicate. -#}
{% macro bootstrap_weights(groups_cte, key, n) -%}
bootstrap_groups as (
    select distinct
        {{ key }} as group_key,
        {{ n }} as n_members,
    from {{ groups_cte }}
),

bootstrap_numbers as (
    select generate_series as replicate
    from generate_series(0, {{ var('bootstrap_replicates') }} - 1)
),

-- one draw per row
bootstrap_grid as (
    select
        bootstrap_groups.group_key,
        bootstrap_groups.n_members,
        bootstrap_numbers.replicate,
        unnest(range(1, bootstrap_groups.n_members + 1)) as place,
    from bootstrap_groups
    cross join bootstrap_numbers
),

bootstrap_drawn as (
    select
        group_key,
        replicate,
        {{ uniform_integer('n_members', [var('bootstrap_seed'), 'replicate', 'place - 1']) }} + 1
            as place,
        count(*) as n_drawn,
    from bootstrap_grid
    group by all
),

bootstrap_weighted as (
    select
        grid.group_key as {{ key }},
        grid.replicate,
        list(cast(coalesce(drawn.n_drawn, 0) as double) order by grid.place) as weights,
    from bootstrap_grid as grid
    left join bootstrap_drawn as drawn
        on
            grid.group_key = drawn.group_key
            and grid.replicate = drawn.replicate
            and grid.place = drawn.place
    group by all
)
{%- endmacro %}
