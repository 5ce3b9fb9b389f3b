-- One row per dataset of some effects, real and simulated language models apart.
select distinct
    dataset,
    simulated
from (
    {{ rows }}
)
order by simulated, {{ index_of("dataset", datasets) }}, dataset
