-- One row per dataset of the leaderboard.
select distinct dataset
from {{ view }}
order by all
