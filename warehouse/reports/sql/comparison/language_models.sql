-- One row per language model with entries.
select distinct
    lm_id,
    lm,
    revision
from compared_entries_v1
order by lm, revision, lm_id
