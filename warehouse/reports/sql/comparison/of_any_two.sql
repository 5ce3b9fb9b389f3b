-- One row per dataset, metric and k of any two entries, computed as they are asked for.
{% for setting_id, other_setting_id in settings %}
select *
from compared_v1({{ literals([lm_id, setting_id, other_lm_id, other_setting_id]) }})
{{ "union all" if not loop.last }}
{% endfor %}
