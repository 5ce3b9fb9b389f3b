-- One row per language model and release: the setting under which the leaderboard shows it.
select
    release_id,
    dataset,
    lm_id,
    {{ lm_name() }} as name,
    simulated,
    setting_id,
    setting,
    n_settings
from headline_setting_v1
where family = 'leaderboard' and rank = 1
order by dataset, release_id, simulated, name, lm_id
