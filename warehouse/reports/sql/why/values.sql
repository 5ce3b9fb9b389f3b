-- One row per value of a column.
select distinct cast({{ column }} as varchar) as value
from {{ view }}
where {{ column }} is not null
order by value
