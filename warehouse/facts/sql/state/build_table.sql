-- One row if views were ever built: the table that records it.
select table_name
from duckdb_tables()
where schema_name = 'meta' and table_name = 'view_build'
