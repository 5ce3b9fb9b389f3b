-- One row if a language model has a generation.
select generation_id
from raw.generation
where lm_id = $lm_id
limit 1  -- noqa: AM09
