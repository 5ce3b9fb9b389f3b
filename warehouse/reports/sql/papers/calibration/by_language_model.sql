-- One row per language model, simulated ones apart: columns for each dataset and notion.
with {{ named(rows) }}

select
    if(simulated, 'simulated language models', 'language models') as block,
    name,
    {% for dataset, notion in heads %}
    {% set head = loop.index0 %}
    {% for number in numbers %}
    {{ of_head(number, dataset, notion, head) }},
    {% endfor %}
    {% endfor %}
from named
group by simulated, lm_id, name
order by simulated, name, lm_id
