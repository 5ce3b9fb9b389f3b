with pairs as (
    select *
    from {{ ref('int_adjacent_pair') }}
),

similarities as (
    select similarity_no
    from {{ ref('int_similarity_numbered') }}
    where in_v1
),

pairs_valued as (
    select *
    from {{ ref('int_pair_valued') }}
),

scopes as (
    select
        'first_k' as scope,
        {{ var('sim_k') }} as last_position
    union all
    select
        'all' as scope,
        2147483647 as last_position
),

pairs_compared as (
    select
        pairs.entry_no,
        pairs.problem_index,
        pairs.is_passing,
        pairs.pair_position,
        similarities.similarity_no,
        pairs_valued.similarity_no is null as is_missing,
        pairs_valued.value,
    from pairs
    cross join similarities
    left join pairs_valued
        on
            pairs.candidate_a = pairs_valued.candidate_a
            and pairs.candidate_b = pairs_valued.candidate_b
            and similarities.similarity_no = pairs_valued.similarity_no
),

tallied as (
    select
        pairs_compared.entry_no,
        pairs_compared.problem_index,
        scopes.scope,
        pairs_compared.similarity_no,
        count(*) filter (not pairs_compared.is_passing) as n_pairs,
        count(*) filter (
            not pairs_compared.is_passing and pairs_compared.is_missing
        ) as n_missing,
        count(*) filter (
            not pairs_compared.is_passing and pairs_compared.value is null
        ) as n_unscored,
        cast(
            sum(pairs_compared.value) filter (not pairs_compared.is_passing) as double
        ) as similarity_sum,
        count(*) filter (pairs_compared.is_passing) as n_passing_pairs,
        count(*) filter (
            pairs_compared.is_passing and pairs_compared.is_missing
        ) as n_passing_missing,
        count(*) filter (
            pairs_compared.is_passing and pairs_compared.value is null
        ) as n_passing_unscored,
        cast(
            sum(pairs_compared.value) filter (pairs_compared.is_passing) as double
        ) as similarity_passing_sum,
    from pairs_compared
    inner join scopes on pairs_compared.pair_position <= scopes.last_position
    group by all
)

select * from tallied
