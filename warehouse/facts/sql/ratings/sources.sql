-- One row per named candidate.
select
    candidate_id,
    source
from raw.candidate
where candidate_id in (select unnest(cast($candidate_ids as varchar[])))
