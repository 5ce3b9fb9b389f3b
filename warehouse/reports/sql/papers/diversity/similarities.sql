-- One row per language model, dataset, setting and similarity: the paper's samples.
select *
from {{ view }}
where scope = 'first_k' and n_sim > 0
order by
    simulated,
    {{ index_of("dataset", datasets) }},
    dataset,
    lm,
    lm_id,
    setting,
    {{ index_of("similarity", similarities) }},
    similarity,
    scorer
