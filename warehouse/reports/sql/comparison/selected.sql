-- One row per comparison asked for, pass@k first.
select *
from (
    {{ rows }}
)
where
    lm_id_a = {{ literal(lm_id) }}
    and lm_id_b = {{ literal(other_lm_id) }}
    {% for column, value in given.items() %}
    and {{ column }} = {{ value if value is number else literal(value) }}
    {% endfor %}
    {% if group %}
    and starts_with(metric, {{ literal(group) }})
    {% endif %}
order by
    dataset asc,
    release_id asc,
    pairing asc,
    setting_a asc,
    setting_b asc,
    metric = 'pass_at_k' desc,
    metric asc,
    k asc
