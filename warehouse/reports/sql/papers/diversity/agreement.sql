-- One row per language model, dataset, setting and two similarities that correlate.
select *
from measure_agreement_v1
where pearson is not null
order by
    simulated,
    dataset,
    lm,
    lm_id,
    setting,
    similarity_a,
    similarity_b,
    scorer_a,
    scorer_b
