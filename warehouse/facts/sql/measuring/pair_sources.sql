-- One row per candidate of a pair in the registered table pairs_due.
with wanted as (
    select candidate_a as candidate_id
    from pairs_due
    union distinct
    select candidate_b as candidate_id
    from pairs_due
)

select
    candidate.candidate_id,
    candidate.source
from raw.candidate as candidate
semi join wanted on candidate.candidate_id = wanted.candidate_id
