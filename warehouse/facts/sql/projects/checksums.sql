-- One row per archive or checkout that a release of a project is of.
select distinct sha256
from raw.project_release
order by sha256
