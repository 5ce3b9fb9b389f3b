-- One row per judged generation: how sure the language model was, by each measure.
select
    generation_id,
    {% for measure in measures %}
    {{ measure }},
    {% endfor %}
from {{ view }}
