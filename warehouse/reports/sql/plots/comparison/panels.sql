-- One row per dataset and board of some differences, real and simulated language models apart.
select distinct
    dataset,
    simulated,
    board
from (
    {{ rows }}
)
order by simulated, dataset, board
