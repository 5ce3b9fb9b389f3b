{#- Paired permutation tests: how often the sum of the differences, with other signs, is at least as
    far from 0 as the observed sum (R. A. Fisher, 1935). Sums that differ by rounding count as
    equal. -#}

{#- CTEs that end in `signs_enumerated`. It has the exact p value per key, over all combinations of
    signs. Keys with 1 to `few_clusters` - 1 differences that are not 0 have a row.

    values_cte has the keys and `difference`. Differences of 0 change no sum, so they are left out.
    The differences are split into two halves, whose sums are listed by size. How many pairs of sums
    reach the observed sum is then counted without forming the pairs. Flipping every sign negates
    the sum, so both tails are equal. Equal lists of differences are computed once. -#}
{% macro exact_signs(values_cte, keys) -%}
sign_lists as (
    select
        {{ listed(keys) }}
        list(round(abs(difference), 12) order by abs(difference)) as sizes,
        round(abs(sum(difference order by difference)), 12) as observed,
    from {{ values_cte }}
    where abs(difference) > 1e-9
    group by all
    having count(*) < {{ var('few_clusters') }}
),

sign_lists_numbered as (
    select
        row_number() over () as list_no,
        sizes,
        observed,
    from sign_lists
    group by sizes, observed
),

sign_halves as (
    select
        list_no,
        observed,
        false as is_second,
        sizes[1:len(sizes) // 2] as sizes,
    from sign_lists_numbered
    union all by name
    select
        list_no,
        observed,
        true as is_second,
        sizes[len(sizes) // 2 + 1:len(sizes)] as sizes,
    from sign_lists_numbered
),

sign_patterns as (
    select
        *,
        unnest(range(1 << len(sizes))) as pattern,
    from sign_halves
),

sign_sums as (
    select
        list_no,
        observed,
        is_second,
        coalesce(
            list_sum(
                list_transform(
                    range(len(sizes)),
                    lambda place: if(
                        (pattern >> place) & 1 = 1, sizes[place + 1], -sizes[place + 1]
                    )
                )
            ),
            0
        ) as total,
    from sign_patterns
),

-- for each sum of the first half, what a sum of the second half must reach; and the second sums
sign_marks as (
    select
        list_no,
        is_second,
        if(is_second, total, observed - total - 1e-9) as mark,
    from sign_sums
),

sign_marks_passed as (
    select
        list_no,
        is_second,
        count(*) filter (is_second) over (
            partition by list_no
            order by mark desc
        ) as n_reaching,
    from sign_marks
),

sign_p_values as (
    select
        list_no,
        sum(n_reaching) filter (not is_second)
        / (count(*) filter (is_second) * count(*) filter (not is_second)) as share,
    from sign_marks_passed
    group by list_no
),

signs_enumerated as (
    select
        {{ listed(keys, 'sign_lists') }}
        least(1.0, 2 * sign_p_values.share) as permutation_p,
    from sign_lists
    inner join sign_lists_numbered
        on
            sign_lists.sizes = sign_lists_numbered.sizes
            and sign_lists.observed = sign_lists_numbered.observed
    inner join sign_p_values on sign_lists_numbered.list_no = sign_p_values.list_no
)
{%- endmacro %}

{#- CTEs that end in `flips_counted`. Per comparison it counts the replicates of `signs` (see
    `signs_drawn`) whose sum is at least as far from 0 as the observed sum (Monte Carlo, M. Dwass,
    1957).

    comparisons_cte has comparison_no, n_dataset, `differences` (a list with a place for each
    problem) and `observed` (the absolute value of their sum). Its vector_a and vector_b are numbers
    of the two lists of `values` in vectors_cte. `have_same_problems` says whether both lists have
    values of the same problems.

    Where they do, a sum of signed differences is the difference of two signed sums, one of each
    list. Such a sum is made once for each list, however many others the list is compared with.

    A join by hash would copy a list for each pair of rows, which takes as long as the sums. So the
    condition on n_dataset is a difference: DuckDB cannot join by hash under it. -#}
{% macro sign_flips_counted(comparisons_cte, vectors_cte, signs) -%}
vectors_flipped as (
    {% for side in ['vector_a', 'vector_b'] %}
    {{ 'union' if not loop.first }}
    select
        {{ side }} as vector_no,
        n_dataset,
    from {{ comparisons_cte }}
    where have_same_problems
    {% endfor %}
),

-- a place without a value adds 0 to a sum
vectors_filled as (
    select
        flipped.vector_no,
        flipped.n_dataset,
        list_transform(vectors.values, lambda each: coalesce(each, 0.0)) as values,
    from vectors_flipped as flipped
    inner join {{ vectors_cte }} as vectors on flipped.vector_no = vectors.vector_no
),

vector_sums as (
    select
        vectors.vector_no,
        list(list_inner_product(flips.signs, vectors.values) order by flips.replicate) as sums,
    from vectors_filled as vectors
    inner join {{ signs }} as flips on vectors.n_dataset - flips.n_dataset = 0
    group by vectors.vector_no
),

flip_totals as (
    select
        comparisons.comparison_no,
        comparisons.observed,
        unnest(a.sums) - unnest(b.sums) as total,
    from {{ comparisons_cte }} as comparisons
    inner join vector_sums as a on comparisons.vector_a = a.vector_no
    inner join vector_sums as b on comparisons.vector_b = b.vector_no
    where comparisons.have_same_problems
    union all
    select
        comparisons.comparison_no,
        comparisons.observed,
        list_inner_product(flips.signs, comparisons.differences) as total,
    from {{ comparisons_cte }} as comparisons
    inner join {{ signs }} as flips on comparisons.n_dataset - flips.n_dataset = 0
    where not comparisons.have_same_problems
),

flips_counted as (
    select
        comparison_no,
        count(*) as n_permutations,
        count(*) filter (abs(total) >= observed - 1e-9) as n_hits,
    from flip_totals
    group by comparison_no
)
{%- endmacro %}

{#- CTEs that end in `signs_drawn`: per number of problems and replicate, a list with a sign for
    each problem. `sizes` is a CTE with each distinct n_dataset once. One MD5 gives 64 signs. The
    signs of places 64 w + 1 to 64 w + 64 come from the MD5 of seed:flip:replicate:w. They are the
    bits of its bytes 8 to 15, little-endian, from the lowest bit. -#}
{% macro signs_drawn(sizes) -%}
sign_replicates as (
    select unnest(range({{ var('sign_flips') }})) as replicate
),

sign_words as (
    select unnest(range((max(n_dataset) + 63) // 64)) as word
    from {{ sizes }}
),

sign_bits as (
    select
        sign_replicates.replicate,
        sign_words.word,
        md5_number_lower(
            concat_ws(':', {{ var('sign_seed') }}, 'flip', sign_replicates.replicate, sign_words.word)
        ) as bits,
    from sign_replicates
    cross join sign_words
),

-- the sign of a place depends only on the seed, the replicate and the place
signs_longest as (
    select
        replicate,
        flatten(
            list(
                list_transform(
                    range(64),
                    lambda bit: cast(if((bits >> bit) & 1 = 1, 1, -1) as double)
                )
                order by word
            )
        ) as signs,
    from sign_bits
    group by replicate
),

signs_drawn as (
    select
        sizes.n_dataset,
        signs_longest.replicate,
        signs_longest.signs[1:sizes.n_dataset] as signs,
    from {{ sizes }} as sizes
    cross join signs_longest
)
{%- endmacro %}
