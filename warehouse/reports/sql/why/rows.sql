-- One row per raw row behind a number, and role that it has there.
{% for link in links %}
select * replace (role || {{ literal(link.side) }} as role)
from (
    {{ link.rows }}
)
{{ "union all by name" if not loop.last }}
{% endfor %}
