-- One row per row of a view or table, in its order; by all columns where it has none.
select *
from {{ relation(name) }}
order by {{ listed(order) or "all" }}
