with problems as (
    select *
    from {{ ref('int_problem_scoped') }}
),

pairs as (
    select *
    from {{ ref('int_candidate_pair_tallied') }}
),

entry_similarities as (
    select shown.*
    from {{ ref('int_entry_similarity') }} as shown
    inner join {{ ref('int_similarity_numbered') }} as numbered
        on shown.similarity_no = numbered.similarity_no
    where numbered.in_v2
),

pairs_of_problems as (
    select
        problems.entry_no,
        problems.scope,
        entry_similarities.similarity_no,
        problems.problem_index,
        problems.resampled,
        problems.null_reason,
        problems.n,
        problems.c,
        coalesce(pairs.n_pairs < problems.n * (problems.n - 1) // 2, true) as is_missing,
        coalesce(pairs.n_passing_pairs < problems.c * (problems.c - 1) // 2, true)
            as is_passing_missing,
        pairs.n_pairs,
        pairs.n_unscored,
        pairs.similarity_sum,
        pairs.n_passing_pairs,
        pairs.n_passing_unscored,
        pairs.similarity_passing_sum,
    from problems
    inner join entry_similarities on problems.entry_no = entry_similarities.entry_no
    left join pairs
        on
            problems.entry_no = pairs.entry_no
            and problems.scope = pairs.scope
            and problems.problem_index = pairs.problem_index
            and entry_similarities.similarity_no = pairs.similarity_no
),

{{ sim_at_k(
    version=2,
    measures=['sim', 'csim', 'dpass', 'dpair']
) }}

select * from published
