-- One row per dataset and language model that one of them is compared with.
select
    dataset,
    simulated,
    '' as board,
    lm_id_a || lm_id_b as key,
    trim(lm_b || ' ' || revision_b) as name,
    trim(lm_a || ' ' || revision_a) as other,
    difference,
    difference_lo,
    difference_hi,
    holm_p,
    n_common
from (
    {{ turned(view) }}
)
where
    difference is not null
    and metric = {{ literal(wanted.metric) }}
    and k = {{ wanted.compared_k }}
    {% if wanted.dataset is not none %}
    and dataset = {{ literal(wanted.dataset) }}
    {% endif %}
    and pairing = 'language_models'
    and lm_id_a = {{ literal(lm_id) }}
