-- One row per language model, dataset and mutation, under the settings shown.
with {{ mutation_rows(view, version) }}

select *
from chosen
order by
    simulated,
    lm,
    lm_id,
    {{ index_of("dataset", datasets) }},
    dataset,
    {{ index_of("mutation", mutations) }},
    mutation
