-- One row per language model and project, and per mean over all of them.
with {{ projects() }}

select *
from projects
order by simulated, lm, lm_id, project = '(all)', project, mean_over
