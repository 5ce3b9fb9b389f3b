-- One row per name of a language model of which somebody claims results.
select distinct lm
from raw.claim_source
order by lm
