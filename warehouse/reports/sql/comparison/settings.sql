-- One row per setting under which the leaderboard shows a language model.
select distinct setting_id
from headline_setting_v1
where family = 'leaderboard' and rank = 1 and lm_id = {{ literal(lm_id) }}
order by all
