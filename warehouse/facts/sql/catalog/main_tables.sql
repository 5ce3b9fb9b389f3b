-- One row per table and view of readers: its name.
select table_name
from information_schema.tables
where table_schema = 'main'
order by table_name
