-- One row per table macro of readers: its name, its parameters and its query.
select
    function_name,
    parameters,
    macro_definition
from duckdb_functions()
where
    function_type = 'table_macro'
    and schema_name = 'main'
    and not internal
    and database_name = current_database()
order by function_name
