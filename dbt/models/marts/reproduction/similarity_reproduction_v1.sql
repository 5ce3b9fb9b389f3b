{#- The similarities of Table 2 of the paper, as they are named here. -#}
{% set printed = {'scc': 'scc_clone_80', 'embedding': 'embedding_v1', 'llm_judge': 'judge_v1'} %}
{% set ours_columns = ['temperature', 'difficulty', 'similarity'] %}

with results as (
    select
        result_id,
        paper,
        table_no,
        lm as printed_lm,
        split_part(dataset, '-', 1) as dataset,
        coalesce(nullif(split_part(dataset, '-', 2), ''), 'all') as difficulty,
        measure,
        case measure
            {% for measure, similarity in printed.items() %}
            when '{{ measure }}' then '{{ similarity }}'
            {% endfor %}
        end as similarity,
        cast(regexp_extract(setting, '[0-9.]+$') as double) as temperature,
        statistic,
        printed,
        value / 100 as published,
        {{ half_unit('decimals') }} / 100 as tolerance,
    from {{ ref('published_results') }}
    where
        paper = 'diversity'
        and table_no = '2'
),

aliases as (
    select
        paper,
        printed_lm,
        lower(lm) as lm,
    from {{ ref('published_lm') }}
),

-- the table is of prompts without a strategy
measured as (
    select
        {{ listed(entry_columns()) }}
        {{ listed(ours_columns) }}
        nullif(scorer, '') as scorer,
        scorer_id,
        n_sim as n_used,
        sim as ours,
    from {{ ref('strategies', v=1) }}
    where
        scope = 'first_k'
        and strategy = 'vanilla'
),

matched as (
    select
        results.result_id,
        results.paper,
        results.table_no,
        results.printed_lm,
        {{ listed(entry_columns(), 'measured') }}
        {{ listed(ours_columns, 'measured') }}
        results.measure,
        results.statistic,
        measured.scorer,
        measured.scorer_id,
        measured.n_used,
        results.printed,
        results.published,
        measured.ours,
        results.tolerance,
    from results
    inner join aliases
        on
            results.paper = aliases.paper
            and results.printed_lm = aliases.printed_lm
    inner join measured
        on
            aliases.lm = lower(measured.lm)
            and {{ equal(['dataset'] + ours_columns, 'results', 'measured') }}
),

side_by_side as (
    select
        *,
        ours - published as difference,
        abs(ours - published) <= tolerance as agrees,
    from matched
)

select * from side_by_side
