-- One row per pair of calibration subjects that today's method has not estimated from today's rows.
with known as (
    select distinct
        subject_key,
        input_key
    from raw.estimate
    where
        statistic = 'n_common'
        and method = $method
)

select
    pairing.pair_key,
    pairing.pair_input_key,
    pairing.release_id,
    pairing.notion,
    pairing.measure,
    pairing.subject_no_a,
    pairing.subject_no_b,
    pairing.n_used_a,
    pairing.n_used_b
from main.calibration_pairings_v1 as pairing
left join known
    on
        pairing.pair_key = known.subject_key
        and pairing.pair_input_key = known.input_key
where
    known.subject_key is null
    and ($lm is null or pairing.lm_a = $lm or pairing.lm_b = $lm)
    and ($dataset is null or pairing.dataset = $dataset)
order by
    pairing.release_id,
    pairing.notion,
    pairing.measure,
    pairing.subject_no_a,
    pairing.subject_no_b
