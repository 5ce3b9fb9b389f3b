-- One row per view of a snapshot that is being written.
select
    schema_name,
    view_name
from duckdb_views()
where database_name = 'snapshot'
