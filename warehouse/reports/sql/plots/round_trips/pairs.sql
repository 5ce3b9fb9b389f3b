-- One row per two language models that have round trips of the same projects.
select
    lm_id,
    other_lm_id,
    lm,
    other_lm,
    simulated
from rtc_project_correlation_v1
where
    n_projects > 1
    {% if wanted.lm is not none %}
    and {{ literal(wanted.lm) }} in (lm, other_lm)
    {% endif %}
order by simulated, lm, lm_id, other_lm, other_lm_id
