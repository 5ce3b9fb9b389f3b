-- One row: how many rows of a mart a condition holds for.
select count(*) as n
from {{ view }}
where (
    {{ condition }}
)
