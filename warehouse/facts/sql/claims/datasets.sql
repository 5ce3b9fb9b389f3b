-- One row per name of a dataset of which somebody claims results.
select distinct dataset
from raw.claim_source
order by dataset
