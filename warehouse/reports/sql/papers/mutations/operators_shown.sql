-- One row per operator, a block per language model and dataset, the paper's numbers beside.
with {{ named(rows) }}

select
    name || ' on ' || dataset || if(simulated, ', simulated', '') as block,
    operator,
    complement,
    n_used,
    accuracy_drop,
    accuracy_drop_lo,
    accuracy_drop_hi,
    published_accuracy_drop,
    published_frequency_ratio
from named
order by
    simulated,
    name,
    lm_id,
    {{ index_of("dataset", datasets) }},
    dataset,
    published_frequency_ratio desc nulls last,
    operator
