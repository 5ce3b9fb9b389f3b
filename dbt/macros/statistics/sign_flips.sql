{#- CTEs that end in `flips_counted`: per key, in how many of the replicates of int_sign_flipped the sum
    of differences, their signs flipped, is at least as far from 0 as theirs is (R. A. Fisher, 1935;
    Monte Carlo as of M. Dwass, 1957).

    values_cte has the key, release_no, n_dataset, problem_index and `difference`, which may be NULL:
    such a problem counts as 0. Sums that differ by rounding count as equal. -#}
{% macro sign_flips_counted(values_cte, key) -%}
flip_parts as (
    select
        {{ key }},
        release_no,
        problem_index,
        coalesce(difference, 0.0) as difference,
    from {{ values_cte }}
    union all
    select distinct
        {{ key }},
        release_no,
        unnest(range(1, n_dataset + 1)) as problem_index,
        0.0 as difference,
    from {{ values_cte }}
),

flip_places as (
    select
        {{ key }},
        release_no,
        problem_index,
        sum(difference) as difference,
    from flip_parts
    group by all
),

flip_vectors as (
    select
        {{ key }},
        release_no,
        list(difference order by problem_index) as differences,
        abs(sum(difference order by problem_index)) as observed,
    from flip_places
    group by {{ key }}, release_no
),

flips_counted as (
    select
        vectors.{{ key }},
        count(*) as n_flips,
        count(*) filter (
            abs(list_inner_product(flips.signs, vectors.differences)) >= vectors.observed - 1e-9
        ) as n_hits,
    from flip_vectors as vectors
    inner join {{ ref('int_sign_flipped') }} as flips on vectors.release_no = flips.release_no
    group by vectors.{{ key }}
)
{%- endmacro %}
