{#- The prompting strategy of a prompt: runners/tasks/strategies. NULL for prompts of other makers. -#}
{% macro strategy_of(prompt_kind) -%}
    case
        {% for strategy in var('strategies') %}
        when {{ prompt_kind }} in {{ quoted(var('strategies')[strategy]) }} then '{{ strategy }}'
        {% endfor %}
    end
{%- endmacro %}

{#- CTEs that end in `published`: Sim@k and its kin by prompting strategy, over all problems and over
    those of each difficulty. -#}
{% macro strategies(version, measures) -%}
{% set measured = [] -%}
{% for measure in ['pass_at_1', 'pass_at_k'] + measures %}
    {%- do measured.extend([measure, measure ~ '_lo', measure ~ '_hi']) -%}
{% endfor -%}
{% set sources = [('sim_at_k', "'all'"), ('diversity_by_difficulty', 'difficulty')] %}
settings as (
    select
        setting_id,
        temperature,
        {{ strategy_of('prompt_kind') }} as strategy,
    from {{ ref('stg_setting') }}
),

stacked as (
    {% for source, difficulty in sources %}
    {{ 'union all' if not loop.first }}
    select
        {{ listed(entry_columns()) }}
        {{ difficulty }} as difficulty,
        scope,
        similarity,
        scorer,
        scorer_id,
        k,
        {{ listed(measured) }}
        n_total,
        n_sim,
        n_csim,
        n_dpass,
        few_clusters,
        few_clusters_csim,
        interval_null_reason,
        csim_interval_null_reason,
        dpass_interval_null_reason,
        {% if 'dpair' in measures %}
        dpair_interval_null_reason,
        {% endif %}
        pass_at_1_interval_null_reason,
        pass_at_k_interval_null_reason,
    from {{ ref(source, v=version) }}
    {% endfor %}
),

published as (
    select
        {{ listed(entry_columns(), 'stacked') }}
        settings.strategy,
        settings.temperature,
        stacked.* exclude ({{ entry_columns() | join(', ') }}),
        'strategies_v{{ version }}' as view_version,
    from stacked
    inner join settings on stacked.setting_id = settings.setting_id
    where settings.strategy is not null
)
{%- endmacro %}
