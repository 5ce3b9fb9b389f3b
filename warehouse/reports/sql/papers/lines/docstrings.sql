-- One row per language model, setting and dataset of lines, asked with the docstring.
select *
from {{ view }}
where shown = 'function'
order by simulated, lm, lm_id, dataset <> '*-lines', dataset, setting_id
