-- One row per raw table: its name.
select table_name
from information_schema.tables
where table_schema = 'raw'
order by table_name
