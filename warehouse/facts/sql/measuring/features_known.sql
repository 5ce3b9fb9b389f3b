-- One row per candidate of a pair in the registered table pairs_due with a kept feature.
select
    feature.candidate_id,
    feature.vector,
    feature.digest,
    feature.null_reason
from raw.candidate_feature as feature
semi join pairs_due
    on
        feature.candidate_id = pairs_due.candidate_a
        or feature.candidate_id = pairs_due.candidate_b
where feature.scorer_id = $scorer_id
