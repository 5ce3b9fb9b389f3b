{#- CTEs that end in `maximal_groups`: per key, every largest set of places of which each two tie (maximal
    cliques), as a list in ascending order.

    ties_cte has the key, place (1, 2, ... without gaps) and `tied`, the other places that it ties
    with. Places join one by one. With each, the groups so far stay, and what each has in common
    with the ties of the new place is a group with it. Then groups inside others go. That n places
    tie can make up to 3^(n / 3) groups; of more than 1,000 some are left out. -#}
{% macro maximal_groups(ties_cte, key) -%}
groups_grown as (
    with recursive grown as (
        select
            {{ key }},
            cast(1 as bigint) as place,
            [[cast(1 as bigint)]] as found,
        from {{ ties_cte }}
        where place = 1
        union all
        (
            with widened as (
                select
                    grown.{{ key }},
                    joining.place,
                    list_distinct(
                        list_concat(
                            grown.found,
                            list_transform(
                                grown.found,
                                lambda members: list_append(
                                    list_filter(
                                        members, lambda member: list_contains(joining.tied, member)
                                    ),
                                    joining.place
                                )
                            )
                        )
                    ) as found,
                from grown
                inner join {{ ties_cte }} as joining
                    on
                        grown.{{ key }} = joining.{{ key }}
                        and joining.place = grown.place + 1
            )

            select
                {{ key }},
                place,
                list_filter(
                    found,
                    lambda members: not list_bool_or(
                        list_transform(
                            found,
                            lambda others: others != members and list_has_all(others, members)
                        )
                    )
                )[:1000] as found,
            from widened
        )
    )

    select *
    from grown
),

groups_last as (
    select
        {{ key }},
        found,
    from groups_grown
    qualify row_number() over (partition by {{ key }} order by place desc) = 1
),

maximal_groups as (
    select
        {{ key }},
        unnest(found) as members,
    from groups_last
)
{%- endmacro %}
