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
{% macro is_asked(wanted, table="") -%}
    {% if wanted.lm is none and wanted.dataset is none %}true{% endif %}
    {%- if wanted.lm is not none %}{{ table }}lm = {{ literal(wanted.lm) }}{% endif %}
    {%- if wanted.lm is not none and wanted.dataset is not none %} and {% endif %}
    {%- if wanted.dataset is not none %}{{ table }}dataset = {{ literal(wanted.dataset) }}{% endif %}
{%- endmacro %}

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

{#- The order of printed numbers; what is of no language model comes last. -#}
{% macro order_beside() -%}
    simulated,
    lm,
    lm_id,
    table_no,
    printed_dataset,
    dataset,
    measure,
    mutation,
    operator,
    statistic,
    setting,
    reproduction_id
{%- endmacro %}

{#- The rows of a view of comparisons from both ends: each entry is a once, and b once. -#}
{% macro turned(view) -%}
select *
    from {{ view }}
    union all by name
    select * replace (
    {%- for name in (
        "lm_id", "setting_id", "forward_lm_id", "forward_setting_id", "lm", "revision", "setting",
        "n_dropped", "value", "n_only",
    ) %}

        {{ name }}_b as {{ name }}_a,
        {{ name }}_a as {{ name }}_b,
    {%- endfor %}

        -difference as difference,
        -difference_hi as difference_lo,
        -difference_lo as difference_hi,
        tost_upper_p as tost_lower_p,
        tost_lower_p as tost_upper_p
    )
    from {{ view }}
{%- endmacro %}

{#- Whether two problems' values are of the entry at one side of a comparison. -#}
{% macro is_at(side) -%}
    compared.release_id = {{ side }}.release_id
        and compared.metric = {{ side }}.metric
        and compared.k = {{ side }}.k
        and compared.lm_id_{{ side }} = {{ side }}.lm_id
        and compared.setting_id_{{ side }} = {{ side }}.setting_id
        and compared.forward_lm_id_{{ side }} is not distinct from {{ side }}.forward_lm_id
        and compared.forward_setting_id_{{ side }} is not distinct from {{ side }}.forward_setting_id
{%- endmacro %}
