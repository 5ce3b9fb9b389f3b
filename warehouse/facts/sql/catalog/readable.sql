-- One row per table and view: its schema, name and kind.
select
    schema_name,
    table_name,
    'table' as kind
from duckdb_tables()
where not internal
union all
select
    schema_name,
    view_name,
    'view' as kind
from duckdb_views()
where not internal
order by all
