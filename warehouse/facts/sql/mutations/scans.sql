-- One row per search of a reference that was done.
select scan_id
from raw.mutation_scan
