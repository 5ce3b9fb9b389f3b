{#- Round trips under the headline of each language model that writes from its own descriptions. -#}
{% macro own_round_trips(view, family, similarity, dataset="results.dataset") -%}
select results.*
    from {{ view }} as results
    inner join headline_round_trip_v1 as headlines
        on
            headlines.family = {{ literal(family) }}
            and headlines.rank = 1
            and results.lm_id = headlines.lm_id
            and results.forward_lm_id = headlines.lm_id
            and results.setting_id = headlines.setting_id
            and results.forward_setting_id = headlines.forward_setting_id
            and headlines.dataset = {{ dataset }}
    where results.similarity = {{ literal(similarity) }}
{%- endmacro %}

{#- The CTE of rows by project, and over all, that are shown. -#}
{% macro projects() -%}
projects as (
    {{ own_round_trips("rtc_by_project_v1", "projects_v1", "pass", "'(all)'") }}
)
{%- endmacro %}

{#- A supervised number of the same language model and dataset, under its own headline. -#}
{% macro companion(name, similarity) -%}
{{ name }} as (
    select companions.*
    from edit_companions_v1 as companions
    inner join headline_round_trip_v1 as headlines
        on
            headlines.family = companions.companion || '_v1'
            and headlines.rank = 1
            and companions.lm_id = headlines.lm_id
            and companions.dataset = headlines.dataset
            and companions.setting_id = headlines.setting_id
    where
        companions.companion = {{ literal(name) }}
        and companions.similarity = {{ literal(similarity) }}
)
{%- endmacro %}

{% macro companion_columns(name) -%}
    {{ name }}.value as {{ name }},
    {{ name }}.value_lo as {{ name }}_lo,
    {{ name }}.value_hi as {{ name }}_hi,
    {{ name }}.n_used as {{ name }}_n_used,
    {{ name }}.setting as {{ name }}_setting
{%- endmacro %}

{#- What the paper prints of a table: a column per statistic. -#}
{% macro printed_round_trips(table_no, statistics) -%}
select
        dataset || ', as the paper prints' as block,
        lm as name,
        1e9 as place
    {%- for column, statistic in statistics.items() -%}
    ,
        max(value) filter (where statistic = {{ literal(statistic) }}) / 100 as {{ column }}
    {%- endfor %}

    from published_results
    where paper = 'round_trip' and table_no = {{ literal(table_no) }}
    group by dataset, lm
{%- endmacro %}
