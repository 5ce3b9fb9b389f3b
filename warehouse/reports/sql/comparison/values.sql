-- One row per value of a column of a view.
select distinct {{ column }}
from {{ view }}
order by all
