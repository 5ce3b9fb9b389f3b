-- One row per language model and setting, a block per dataset: both notions side by side.
with {{ named(rows) }}

select
    {{ dataset_block() }} as block,
    name,
    setting,
    n_used,
    all_pass,
    exact_match
from named
order by
    {{ index_of("dataset", datasets) }},
    dataset,
    simulated,
    name,
    setting,
    lm_id
