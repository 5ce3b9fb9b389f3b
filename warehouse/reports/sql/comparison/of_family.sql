-- One row per comparison of one kind of pair; the language model named first is a.
select *
from (
    {% if once %}
    select * from {{ view }}
    {% else %}
    {{ turned(view) }}
    {% endif %}
)
where pairing = {{ literal(pairing) }}
