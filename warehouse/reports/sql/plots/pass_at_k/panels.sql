-- One row per dataset of some curves, real and simulated language models apart.
select distinct
    dataset,
    simulated
from (
    {{ rows }}
)
order by simulated, dataset
