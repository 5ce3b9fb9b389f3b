-- One row per similarity of a view.
select distinct similarity
from {{ view }}
order by all
