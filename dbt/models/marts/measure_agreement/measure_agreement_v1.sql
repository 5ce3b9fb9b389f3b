{#- Fewer pairs than this say nothing of a correlation. Over fewer problems than this it has no
    interval. Kendall's tau compares every pair with every other. -#}
{% set least_n = 10 %}
{% set least_problems = 20 %}
{% set most_for_kendall = 1000 %}
{% set keys = ['entry_no', 'no_a', 'no_b'] %}

with
{{ entries_of('whole_functions') }},

problems as (
    select *
    from {{ ref('int_problem_scoped') }}
    where scope = 'all' and null_reason is null
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

-- the pairs of the paper: neighbours among the first samples
pairs as (
    select neighbours.*
    from {{ ref('int_adjacent_pair') }} as neighbours
    semi join problems
        on
            neighbours.entry_no = problems.entry_no
            and neighbours.problem_index = problems.problem_index
    where not neighbours.is_passing and neighbours.pair_position <= {{ var('sim_k') }}
),

pairs_valued as (
    select
        pairs.entry_no,
        pairs.problem_index,
        pairs.pair_position,
        measured.similarity_no,
        round(cast(measured.value as double), 12) as value,
    from pairs
    inner join {{ ref('int_pair_valued') }} as measured
        on {{ same_pair('pairs', 'measured') }}
    semi join {{ ref('int_entry_similarity') }} as shown
        on
            pairs.entry_no = shown.entry_no
            and measured.similarity_no = shown.similarity_no
    where measured.value is not null
),

both_valued as (
    select
        first.entry_no,
        first.similarity_no as no_a,
        second.similarity_no as no_b,
        first.problem_index,
        first.pair_position,
        first.value as a,
        second.value as b,
    from pairs_valued as first
    inner join pairs_valued as second
        on
            first.entry_no = second.entry_no
            and first.problem_index = second.problem_index
            and first.pair_position = second.pair_position
            and first.similarity_no < second.similarity_no
),

-- each distinct value is ranked once: most values occur many times
{% for side in ['a', 'b'] %}
values_{{ side }} as (
    select
        {{ listed(keys) }}
        {{ side }},
        count(*) as n_equal,
    from both_valued
    group by all
),

-- equal values share the mean of their ranks
ranks_{{ side }} as (
    select
        {{ listed(keys) }}
        {{ side }},
        cast(
            sum(n_equal) over (partition by {{ keys | join(', ') }} order by {{ side }})
            as double
        )
        - (n_equal - 1) / 2 as rank,
    from values_{{ side }}
),

{% endfor %}
problem_means as (
    select
        {{ listed(keys) }}
        problem_index,
        avg(a) as a,
        avg(b) as b,
    from both_valued
    group by all
),

ranked as (
    select
        both_valued.*,
        ranks_a.rank as rank_a,
        ranks_b.rank as rank_b,
        both_valued.a - problem_means.a as apart_a,
        both_valued.b - problem_means.b as apart_b,
    from both_valued
    {% for side in ['a', 'b'] %}
    inner join ranks_{{ side }}
        on
            {{ equal(keys, 'both_valued', 'ranks_' ~ side) }}
            and both_valued.{{ side }} = ranks_{{ side }}.{{ side }}
    {% endfor %}
    inner join problem_means
        on
            {{ equal(keys, 'both_valued', 'problem_means') }}
            and both_valued.problem_index = problem_means.problem_index
),

pooled as (
    select
        {{ listed(keys) }}
        count(*) as n,
        count(distinct problem_index) as n_problems,
        {{ pearson('a', 'b') }} as pearson,
        {{ pearson('rank_a', 'rank_b') }} as spearman,
        {{ pearson('apart_a', 'apart_b') }} as pearson_within,
    from ranked
    group by {{ keys | join(', ') }}
),

-- Kendall's tau is computed for these only
few_enough as (
    select {{ keys | join(', ') }}
    from pooled
    where n between {{ least_n }} and {{ most_for_kendall }}
),

ranked_few as (
    select ranked.*
    from ranked
    semi join few_enough on {{ equal(keys, 'ranked', 'few_enough') }}
),

-- pairs with the same two values are one cell
cells as (
    select
        {{ listed(keys) }}
        rank_a,
        rank_b,
        count(*) as n_pairs,
        row_number() over (partition by {{ keys | join(', ') }} order by rank_a, rank_b)
            as cell_no,
    from ranked_few
    group by {{ keys | join(', ') }}, rank_a, rank_b
),

-- tau b (Kendall 1945, Biometrika 33): pairs of pairs that both order alike, less those that they
-- order differently; ties count in neither
orders as (
    select
        {{ listed(keys, 'one') }}
        sum(
            one.n_pairs * other.n_pairs
            * sign(one.rank_a - other.rank_a) * sign(one.rank_b - other.rank_b)
        ) as alike,
        sum(one.n_pairs * other.n_pairs) filter (one.rank_a != other.rank_a) as untied_a,
        sum(one.n_pairs * other.n_pairs) filter (one.rank_b != other.rank_b) as untied_b,
    from cells as one
    inner join cells as other
        on
            one.entry_no = other.entry_no
            and one.no_a = other.no_a
            and one.no_b = other.no_b
            and one.cell_no < other.cell_no
    group by one.entry_no, one.no_a, one.no_b
),

{{ correlation_interval('both_valued', keys) }},

reasoned as (
    select
        *,
        case
            when n < {{ least_n }} then 'n_lt_min'
            when pearson is null then 'zero_variance'
        end as null_reason,
    from pooled
),

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        similarities_a.similarity as similarity_a,
        similarities_a.scorer as scorer_a,
        similarities_a.scorer_id as scorer_id_a,
        similarities_b.similarity as similarity_b,
        similarities_b.scorer as scorer_b,
        similarities_b.scorer_id as scorer_id_b,
        {{ correlation_columns('reasoned.n_problems', least_problems) }}
        if(reasoned.null_reason is null, reasoned.pearson_within, null) as pearson_within,
        if(reasoned.null_reason is null, reasoned.spearman, null) as spearman,
        if(
            reasoned.null_reason is null,
            orders.alike / sqrt(orders.untied_a * orders.untied_b),
            null
        ) as kendall,
        case
            when reasoned.null_reason is not null then reasoned.null_reason
            when reasoned.n > {{ most_for_kendall }} then 'too_many_pairs'
        end as kendall_null_reason,
        reasoned.n as n_pairs,
        reasoned.n_problems,
        'measure_agreement_v1' as view_version,
    from reasoned
    inner join entries on reasoned.entry_no = entries.entry_no
    inner join similarities as similarities_a on reasoned.no_a = similarities_a.similarity_no
    inner join similarities as similarities_b on reasoned.no_b = similarities_b.similarity_no
    left join orders
        on
            reasoned.entry_no = orders.entry_no
            and reasoned.no_a = orders.no_a
            and reasoned.no_b = orders.no_b
    left join intervals
        on
            reasoned.entry_no = intervals.entry_no
            and reasoned.no_a = intervals.no_a
            and reasoned.no_b = intervals.no_b
)

select * from published
