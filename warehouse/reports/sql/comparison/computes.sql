-- One row if the warehouse can compare any two entries.
select 1 as one
from duckdb_functions()
where function_name = {{ literal(macro) }}
