{#- CTEs over a calibration view: one setting per language model and dataset, with the notion that
    is shown of it. -#}
{% macro calibration_rows(view, condition, setting_id=none) -%}
headlines as (
    {{ headlines("calibration", setting_id) }}
),

subjects as (
    select *
    from {{ view }}
    where
        n_used > 0
        and {{ condition }}
),

chosen as (
    select
        subjects.*,
        headlines.notion as main_notion
    from subjects
    inner join headlines
        on
            subjects.lm_id = headlines.lm_id
            and subjects.dataset = headlines.dataset
            and subjects.setting_id = headlines.setting_id
            and subjects.release_id = headlines.release_id
)
{%- endmacro %}

{#- CTEs over a calibration view: `shown` holds the rows of what was asked for. -#}
{% macro rows_asked(view, wanted) -%}
{{ calibration_rows(view, is_asked(wanted), wanted.setting_id) }},

shown as (
    select *
    from chosen
    where notion = {% if wanted.notion is none %}main_notion{% else %}{{ literal(wanted.notion) }}{% endif %}

)
{%- endmacro %}

{#- Whether a row is of one language model on one dataset, under one setting, by one notion. -#}
{% macro is_of(entry, table="") -%}
    {{ table }}lm_id = {{ literal(entry.lm_id) }}
    and {{ table }}release_id = {{ literal(entry.release_id) }}
    and {{ table }}setting_id = {{ literal(entry.setting_id) }}
    and {{ table }}notion = {{ literal(entry.notion) }}
{%- endmacro %}

{#- A number of a calibration table, under a dataset and a notion. -#}
{% macro of_head(number, dataset, notion, head) -%}
    max({{ number }}) filter (
        where dataset = {{ literal(dataset) }} and notion = {{ literal(notion) }}
    ) as {{ number }}_{{ head }}
{%- endmacro %}

{#- The block of a table of lines: a dataset, those of all projects first. -#}
{% macro line_block() -%}
    if(dataset = '*-lines', 'all projects', dataset)
        || if(simulated, ', simulated language models', '')
{%- endmacro %}

{% macro line_place() -%}
    dataset <> '*-lines', dataset, simulated, name, lm_id, setting_id
{%- endmacro %}
