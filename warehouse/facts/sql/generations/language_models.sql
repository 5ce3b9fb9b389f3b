-- One row per name of a language model.
select distinct lm
from raw.language_model
order by lm
