-- One row per view of readers: its name and the statement that made it.
select
    view_name,
    sql
from duckdb_views()
where schema_name = 'main' and not internal
order by view_name
