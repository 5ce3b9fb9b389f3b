-- One row per pair of the registered table pairs that has no row of a scorer. A scorer that was
-- fitted on a release scores the pairs of its problems.
with known as (
    select
        candidate_a,
        candidate_b
    from facts.pair_scored
    where scorer_id = $scorer_id
)

select
    pairs.problem_id,
    pairs.candidate_a,
    pairs.candidate_b
from pairs
anti join known
    on
        pairs.candidate_a = known.candidate_a
        and pairs.candidate_b = known.candidate_b
where $release_id is null or list_contains(pairs.release_ids, $release_id)
order by pairs.problem_id, pairs.candidate_a, pairs.candidate_b
