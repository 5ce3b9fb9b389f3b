-- One row per relation that dbt may have made: its schema, name and kind.
select
    table_schema,
    table_name,
    table_type
from information_schema.tables
where table_schema not in ('raw', 'meta', 'facts')
order by all
