-- One row per column of a raw table or of a view: its type, in the order of the columns.
select
    schema_name,
    table_name,
    column_name,
    data_type
from duckdb_columns()
where schema_name in ('main', 'raw') and not internal
order by schema_name, table_name, column_index
