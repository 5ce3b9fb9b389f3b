-- One row per language model and dataset: round-trip correctness beside pass@1.
select *
from {{ view }}
order by simulated, lm, lm_id, {{ index_of("dataset", datasets) }}, dataset
