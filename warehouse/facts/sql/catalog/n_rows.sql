-- One row: how many rows a table has.
select count(*) as n_rows
from query_table($table)
