-- One row per strategy and setting, a block per language model, dataset and difficulty.
with {{ strategies_named(view, strategies) }}

select
    lm_name || ' on ' || dataset || if(difficulty = 'all', '', ', ' || difficulty)
    || if(simulated, ', simulated', '') as block,
    name,
    {{ similarity_columns(numbers, found) }}
from named
group by
    simulated,
    {{ index_of("dataset", datasets) }},
    dataset,
    lm_name,
    lm_id,
    {{ index_of("difficulty", difficulties) }},
    difficulty,
    {{ index_of("strategy", strategies) }},
    strategy,
    name,
    setting_id
order by
    simulated,
    {{ index_of("dataset", datasets) }},
    dataset,
    lm_name,
    lm_id,
    {{ index_of("difficulty", difficulties) }},
    difficulty,
    {{ index_of("strategy", strategies) }},
    strategy,
    name,
    setting_id
