-- One row per generation of a language model under a setting.
select generation_id
from raw.generation
where lm_id = $lm_id and setting_id = $setting_id
