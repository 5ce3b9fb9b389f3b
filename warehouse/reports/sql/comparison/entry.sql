-- One row if a language model has an entry under a setting.
select 1 as one
from compared_entries_v1
where lm_id = {{ literal(lm_id) }} and setting_id = {{ literal(setting_id) }}
