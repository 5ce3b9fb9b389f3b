-- One row per row of a view or table.
select *
from {{ relation(name) }}
