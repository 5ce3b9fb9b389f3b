-- One row per claim of the registered table incoming that is known with another result.
select
    incoming.n,
    claim.place,
    claim_file.name
from incoming
inner join raw.claim as claim on incoming.claim_id = claim.claim_id
inner join raw.claim_file as claim_file on claim.claim_file_id = claim_file.claim_file_id
where
    claim.passed is distinct from incoming.passed
    or claim.confidence is distinct from incoming.confidence
    or claim.score is distinct from incoming.score
    or claim.text_key is distinct from incoming.text_key
order by incoming.n
limit 1
