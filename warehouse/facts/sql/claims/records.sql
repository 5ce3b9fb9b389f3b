-- One row per record of a stored file of claims, and one of a file without a record. A file that
-- was brought in several times, such as by two claimants, has each record once.
select
    claim_file.sha256,
    claim_file.name,
    claim_file.about,
    claim.place,
    claim_record.record
from raw.claim_source as source
inner join raw.claim_file as claim_file on source.claim_source_id = claim_file.claim_source_id
left join raw.claim as claim on claim_file.claim_file_id = claim.claim_file_id
left join raw.claim_record as claim_record on claim.claim_id = claim_record.claim_id
where
    source.format = $format
    and source.lm = $lm
    and ($revision is null or source.revision = $revision)
    and ($dataset is null or source.dataset = $dataset)
group by
    claim_file.sha256,
    claim_file.name,
    claim_file.about,
    claim.place,
    claim_record.record
order by claim_file.name, claim_file.sha256, min(claim.position)
