-- One row per dataset and metric of any two entries, as their differences were just resampled.
select *
from resampled_v1([
    {% for pair in differences %}
    {{ struct(pair) }}{{ "," if not loop.last }}
    {% endfor %}
])
