-- One row: how many rows a result has, and how many values each column of it.
select
    count(*) as n_rows,
    count(columns(*)) -- noqa: AL03
from (
    {{ rows }}
)
