-- One row per measure and pair of the registered table pairs whose tokens are not yet counted.
with measures as (
    select unnest(cast($measures as varchar[])) as measure
),

wanted as (
    select
        pairs.problem_id,
        pairs.candidate_a,
        pairs.candidate_b,
        measures.measure
    from pairs
    cross join measures
)

select
    wanted.measure,
    wanted.problem_id,
    wanted.candidate_a,
    wanted.candidate_b
from wanted
anti join facts.pair_counted as known
    on
        wanted.candidate_a = known.candidate_a
        and wanted.candidate_b = known.candidate_b
        and wanted.measure = known.measure
order by wanted.measure, wanted.problem_id
