-- One row per column of a snapshot that is being written.
select
    schema_name,
    table_name,
    column_name
from duckdb_columns()
where database_name = 'snapshot'
