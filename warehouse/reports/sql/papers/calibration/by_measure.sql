-- One row per measure, a block per language model: columns for each dataset and notion.
with {{ named(rows) }},

placed as (
    select
        *,
        {{ index_of("measure", measures) }} as measure_place,
        {{ label_of("measure", measures) }} as measure_label
    from named
)

select
    name || if(simulated, ', simulated', '') as block,
    measure_label,
    {% for dataset, notion in heads %}
    {% set head = loop.index0 %}
    {% for number in numbers %}
    {{ of_head(number, dataset, notion, head) }},
    {% endfor %}
    {% endfor %}
from placed
group by simulated, lm_id, name, measure_place, measure_label
order by simulated, name, lm_id, measure_place, measure_label
