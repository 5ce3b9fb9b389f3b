with samples as (
    select *
    from {{ ref('int_sample_ordered') }}
),

similarities as (
    select *
    from {{ ref('stg_pair_similarity') }}
    where measure = 'scc_v1'
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

-- disjoint pairs of neighbours: first and second, third and fourth; an odd one is left over
sample_pairs as (
    select
        entry_no,
        problem_index,
        false as is_passing,
        sample_position as pair_position,
        candidate_id as second_id,
        lag(candidate_id) over (
            partition by entry_no, problem_index
            order by sample_position
        ) as first_id,
    from samples
    qualify sample_position % 2 = 0
),

passing_pairs as (
    select
        entry_no,
        problem_index,
        true as is_passing,
        sample_position as pair_position,
        candidate_id as second_id,
        lag(candidate_id) over (
            partition by entry_no, problem_index
            order by sample_position
        ) as first_id,
    from samples
    where passed
    qualify row_number() over (
        partition by entry_no, problem_index
        order by sample_position
    ) % 2 = 0
),

pairs as (
    select
        entry_no,
        problem_index,
        is_passing,
        pair_position,
        least(first_id, second_id) as candidate_a,
        greatest(first_id, second_id) as candidate_b,
    from sample_pairs
    union all
    select
        entry_no,
        problem_index,
        is_passing,
        pair_position,
        least(first_id, second_id) as candidate_a,
        greatest(first_id, second_id) as candidate_b,
    from passing_pairs
),

pairs_compared as (
    select
        pairs.entry_no,
        pairs.problem_index,
        pairs.is_passing,
        pairs.pair_position,
        similarities.n_shared is null as is_missing,
        {{ is_clone(
            'similarities.n_shared', 'similarities.n_tokens_a', 'similarities.n_tokens_b', '0.8'
        ) }} as clone_80,
    from pairs
    left join similarities
        on
            pairs.candidate_a = similarities.candidate_a
            and pairs.candidate_b = similarities.candidate_b
),

tallied as (
    select
        pairs_compared.entry_no,
        pairs_compared.problem_index,
        scopes.scope,
        count(*) filter (not pairs_compared.is_passing) as n_pairs,
        count(*) filter (
            not pairs_compared.is_passing and pairs_compared.is_missing
        ) as n_missing,
        sum(pairs_compared.clone_80) filter (not pairs_compared.is_passing) as clones,
        count(*) filter (pairs_compared.is_passing) as n_passing_pairs,
        count(*) filter (
            pairs_compared.is_passing and pairs_compared.is_missing
        ) as n_passing_missing,
        sum(pairs_compared.clone_80) filter (pairs_compared.is_passing) as passing_clones,
    from pairs_compared
    inner join scopes on pairs_compared.pair_position <= scopes.last_position
    group by all
)

select * from tallied
