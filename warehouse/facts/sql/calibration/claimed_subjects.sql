-- One row per row of claimed_calibration with pairs.
select
    subject_key,
    input_key
from main.claimed_calibration_v1
where
    n_used > 0
    and ($lm is null or lm = $lm)
    and ($dataset is null or dataset = $dataset)
order by subject_key
