-- One row per pair of claims about two language models; the one named first is a.
select *
from (
    {% if lm_id == other_lm_id %}
    select * from {{ view }}
    {% else %}
    {{ turned(view, claimed=true) }}
    {% endif %}
)
where
    lm_id_a = {{ literal(lm_id) }}
    and lm_id_b = {{ literal(other_lm_id) }}
    {% for column, value in given.items() %}
    and {{ column }} = {{ value if value is number else literal(value) }}
    {% endfor %}
order by
    dataset asc,
    metric asc,
    claimant_a asc,
    label_a asc,
    claimant_b asc,
    label_b asc,
    claim_source_id_a asc,
    claim_source_id_b asc
