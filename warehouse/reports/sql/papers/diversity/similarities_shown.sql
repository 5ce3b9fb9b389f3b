-- One row per language model and setting, a block per dataset: measures by similarity.
with {{ similarities_named(view) }}

select
    {{ dataset_block() }} as block,
    name,
    {{ similarity_columns(numbers, found) }}
from named
group by
    simulated,
    {{ index_of("dataset", datasets) }},
    dataset,
    name,
    lm_id,
    setting_id
order by
    simulated,
    {{ index_of("dataset", datasets) }},
    dataset,
    name,
    lm_id,
    setting_id
