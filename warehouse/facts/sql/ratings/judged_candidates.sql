-- One row per named candidate and problem whose tests it is to pass.
select distinct
    candidate_id,
    problem_id
from raw.program
where candidate_id in (select unnest(cast($candidate_ids as varchar[])))
