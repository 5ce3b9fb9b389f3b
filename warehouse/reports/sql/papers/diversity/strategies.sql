-- One row per language model, dataset, difficulty, strategy, setting and similarity.
with {{ strategies_named(view, strategies) }}

select * exclude (name, lm_name)
from named
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
    setting,
    {{ index_of("similarity", similarities) }},
    similarity,
    scorer
