-- One row per row of a mart that a condition holds for.
select *
from {{ view }}
where (
    {{ condition }}
)
