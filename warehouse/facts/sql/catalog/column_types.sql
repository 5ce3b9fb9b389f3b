-- One row per column of a table or view: its name and type.
select
    column_name,
    data_type
from duckdb_columns()
where schema_name = $schema and table_name = $table and not internal
order by column_index
