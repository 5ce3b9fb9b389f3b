-- One row per language model, dataset, notion and measure of a table, in the table's order.
{% set conditions = {
    "all": "true",
    "unskilled": "measure = 'unskilled'",
    "platt": "rescaler = 'platt' and brier is not null",
} %}
with {{ calibration_rows(view, conditions[which]) }},

found as (
    select
        simulated,
        lm_id,
        lm,
        revision,
        dataset,
        dataset_version,
        setting_id,
        setting,
        notion,
        measure,
        n_total,
        n_used,
        base_rate,
        {% for number in numbers if number != "base_rate" %}
        {{ number }},
        {% endfor %}
    from chosen
    {% if notion == "main" %}
    where notion = main_notion
    {% elif notion != "each" %}
    where notion = {{ literal(notion) }}
    {% endif %}
)

select *
from found
order by
    simulated,
    lm,
    lm_id,
    {{ index_of("dataset", datasets) }},
    dataset,
    notion,
    {{ index_of("measure", measures) }},
    measure,
    setting
