-- One row per language model, dataset and operator that was flipped, under the settings shown.
with {{ mutation_rows("operator_effect_v1", 1) }}

select *
from chosen
order by
    simulated,
    lm,
    lm_id,
    {{ index_of("dataset", datasets) }},
    dataset,
    published_frequency_ratio desc nulls last,
    operator
