-- One row per language model, dataset and measure: AUROC beside ECE.
with {{ rows_asked(view, wanted) }}

select
    lm_id,
    lm,
    revision,
    dataset,
    notion,
    measure,
    ece,
    auroc
from shown
where
    simulated = {{ simulated | lower }}
    and measure in ({{ literals(which_measures) }})
    and ece is not null
    and auroc is not null
order by
    {{ index_of("dataset", datasets) }},
    dataset,
    lm,
    lm_id,
    {{ index_of("measure", measures) }},
    measure
