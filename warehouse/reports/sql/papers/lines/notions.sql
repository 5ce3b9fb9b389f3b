-- One row per language model, setting and dataset of lines that both notions judge.
select *
from {{ view }}
where n_both_labels > 0
order by simulated, lm, lm_id, dataset <> '*-lines', dataset, setting_id
