-- One row: whether functions of a release are stored.
select count(*) > 0 as has_functions
from raw.project_function
where project_release_id = $project_release_id
