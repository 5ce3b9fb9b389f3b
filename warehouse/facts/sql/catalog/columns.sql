-- One row per column of a table or view, in any schema where none is named.
select
    column_name,
    data_type,
    coalesce(comment, '') as description
from duckdb_columns()
where not internal and table_name = $table and ($schema = '' or schema_name = $schema)
order by schema_name, column_index
