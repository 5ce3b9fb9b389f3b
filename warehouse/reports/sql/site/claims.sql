-- One row per claimed verdict on a sample that is here.
select distinct
    generation_id,
    claimant,
    metric,
    claimed_passed
from {{ view }}
where generation_id is not null and claimed_passed is not null
order by generation_id, claimant, metric, claimed_passed
