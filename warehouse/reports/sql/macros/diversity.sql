{#- The CTE of measured similarities; a language model with several settings has a row for each. -#}
{% macro similarities_named(view) -%}
named as (
    select
        *,
        {{ lm_name() }} || if(
            count(distinct setting_id) over (partition by lm_id, dataset) > 1,
            ', ' || setting, ''
        ) as name
    from {{ view }}
    where scope = 'first_k' and n_sim > 0
)
{%- endmacro %}

{#- The CTE of measured similarities by strategy; several settings of one have a row for each. -#}
{% macro strategies_named(view, strategies) -%}
named as (
    select
        *,
        {{ lm_name() }} as lm_name,
        {{ label_of("strategy", strategies) }} || if(
            count(distinct setting_id) over (partition by lm_id, dataset, strategy) > 1,
            ', ' || setting, ''
        ) as name
    from {{ view }}
    where scope = 'first_k' and n_sim > 0
    qualify count(distinct strategy) over (partition by lm_id, dataset) > 1
)
{%- endmacro %}

{#- Columns of a table of similarities: pass@1, then each measure by each similarity found. -#}
{% macro similarity_columns(numbers, found) -%}
    max(pass_at_1) as pass_at_1,
    max(pass_at_1_lo) as pass_at_1_lo,
    max(pass_at_1_hi) as pass_at_1_hi
    {%- for similarity, scorer_id in found %}
    {%- set first = loop.index0 * numbers | length %}
    {%- for number in numbers -%}
    ,
    {{ where_it_is(
        number,
        "similarity = " ~ literal(similarity) ~ " and scorer_id = " ~ literal(scorer_id),
        "value_" ~ (first + loop.index0)
    ) }}
    {%- endfor %}
    {%- endfor %}

{%- endmacro %}

{% macro is_similarity_asked(wanted, which_measures) -%}
    similarity in ({{ literals(which_measures) }})
    and {{ is_asked(wanted) }}
    {%- if wanted.setting_id is not none %}

    and setting_id = {{ literal(wanted.setting_id) }}
    {%- endif %}

{%- endmacro %}
