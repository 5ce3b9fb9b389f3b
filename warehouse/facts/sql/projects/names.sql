-- One row per project that was ingested.
select distinct project
from raw.project_release
order by project
