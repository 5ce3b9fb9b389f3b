-- One row per dataset that was ingested.
select distinct dataset
from raw.dataset_release
order by dataset
