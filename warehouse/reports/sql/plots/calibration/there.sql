-- One row per language model and dataset with a calibration result.
select distinct
    lm,
    dataset
from {{ view }}
where n_used > 0
order by all
