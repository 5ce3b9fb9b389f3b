-- One row per row of a mart, in an order that repeats.
select *
from {{ view }}
order by all
