-- One row per named release of a project.
select
    project_release_id,
    project,
    version,
    sha256,
    source
from raw.project_release
where project_release_id in (select unnest(cast($release_ids as varchar[])))
