-- One row per language model, dataset, setting and notion asked for, real language models first.
with {{ rows_asked(view, wanted) }}

select distinct
    lm_id,
    lm,
    revision,
    simulated,
    dataset,
    release_id,
    setting_id,
    setting,
    notion
from shown
order by simulated, lm, lm_id, {{ index_of("dataset", datasets) }}, dataset
