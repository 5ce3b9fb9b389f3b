-- One row if a language model is known: whether it is simulated.
select simulated
from raw.language_model
where lm_id = $lm_id
