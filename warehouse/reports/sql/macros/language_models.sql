{#- Language models of one name are distinguished by their revisions. -#}
{% macro lm_name() -%}
    lm || if(count(distinct lm_id) over (partition by lm) > 1, ' ' || revision, '')
{%- endmacro %}

{% macro dataset_block() -%}
    dataset || if(simulated, ', simulated language models', '')
{%- endmacro %}

{#- The CTE of some rows with what to call their language models. -#}
{% macro named(rows) -%}
named as (
    select *, {{ lm_name() }} as name
    from (
        {{ rows }}
    )
)
{%- endmacro %}

{#- The settings shown: the headline of each language model and dataset, or the one asked for. -#}
{% macro headlines(family, setting_id=none) -%}
    select *
    from headline_setting_v1
    where
        family = {{ literal(family) }}
        and {% if setting_id is none %}rank = 1{% else %}setting_id = {{ literal(setting_id) }}{% endif %}
{%- endmacro %}

{#- A number with its interval, from the row where a condition holds. -#}
{% macro where_it_is(number, condition, name) -%}
    max({{ number }}) filter (where {{ condition }}) as {{ name }},
    max({{ number }}_lo) filter (where {{ condition }}) as {{ name }}_lo,
    max({{ number }}_hi) filter (where {{ condition }}) as {{ name }}_hi
{%- endmacro %}

{#- Whether a row is of the language model and the dataset asked for; None asks for all. -#}
{% macro is_asked(wanted, table="") -%}
    {% if wanted.lm is none and wanted.dataset is none %}true{% endif %}
    {%- if wanted.lm is not none %}{{ table }}lm = {{ literal(wanted.lm) }}{% endif %}
    {%- if wanted.lm is not none and wanted.dataset is not none %} and {% endif %}
    {%- if wanted.dataset is not none %}{{ table }}dataset = {{ literal(wanted.dataset) }}{% endif %}
{%- endmacro %}
