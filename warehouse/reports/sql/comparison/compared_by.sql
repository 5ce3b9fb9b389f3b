-- One row per dataset, metric and k by which two language models are compared.
select distinct
    dataset,
    metric,
    k
from (
    {{ turned(view) }}
)
where lm_id_a = {{ literal(lm_id) }} and lm_id_b = {{ literal(other_lm_id) }}
order by all
