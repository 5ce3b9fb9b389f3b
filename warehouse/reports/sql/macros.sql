{#- How names, values and lists of them are written. -#}
{% macro literal(value) -%}
    '{{ value | replace("'", "''") }}'
{%- endmacro %}

{% macro literals(values) -%}
    {% for value in values %}{{ literal(value) }}{{ ", " if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro quoted(name) -%}
    "{{ name | replace('"', '""') }}"
{%- endmacro %}

{#- The place of a value in a list; what is not in it comes last. -#}
{% macro index_of(column, values) -%}
    coalesce(list_position([{{ literals(values) }}], {{ column }}), 1000)
{%- endmacro %}

{#- A value's label; what has none is its own. -#}
{% macro label_of(column, labels, otherwise=none) -%}
    case {{ column }}
    {%- for value, label in labels.items() %}

        when {{ literal(value) }} then {{ literal(label) }}
    {%- endfor %}

        else {{ otherwise or column }}
    end
{%- endmacro %}

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

{#- The CTE of a view's rows under the settings shown of a version's pairs: the same everywhere. -#}
{% macro mutation_rows(view, version, setting_id=none) -%}
headlines as (
    {{ headlines("mutations_v" ~ version, setting_id) }}
),

chosen as (
    select results.*
    from {{ view }} as results
    semi join headlines
        on
            results.lm_id = headlines.lm_id
            and results.dataset = headlines.dataset
            and results.setting_id = headlines.setting_id
)
{%- endmacro %}

{#- A number with its interval, from the row where a condition holds. -#}
{% macro where_it_is(number, condition, name) -%}
    max({{ number }}) filter (where {{ condition }}) as {{ name }},
    max({{ number }}_lo) filter (where {{ condition }}) as {{ name }}_lo,
    max({{ number }}_hi) filter (where {{ condition }}) as {{ name }}_hi
{%- endmacro %}

{#- Whether a row is of the language model and the dataset asked for; None asks for all. -#}
{% macro is_asked(lm, dataset, table="") -%}
    {% if lm is none and dataset is none %}true{% endif %}
    {%- if lm is not none %}{{ table }}lm = {{ literal(lm) }}{% endif %}
    {%- if lm is not none and dataset is not none %} and {% endif %}
    {%- if dataset is not none %}{{ table }}dataset = {{ literal(dataset) }}{% endif %}
{%- endmacro %}
