-- One row per dataset and release whose problems both language models answered.
select distinct
    dataset,
    release_id
from (
    {{ rows }}
)
order by all
