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
