{#- The measures of Table 4 of the paper, as they are named here. -#}
{% set printed = {
    'scc': 'scc_clone_80', 'embedding': 'embedding_v1', 'llm_judge': 'judge_v1', 'human': 'human_v1',
} %}

with results as (
    select
        result_id,
        paper,
        table_no,
        measure,
        replace(setting, 'with ', '') as other_measure,
        statistic,
        printed,
        value / 100 as published,
        {{ half_unit('decimals') }} / 100 as tolerance,
    from {{ ref('published_results') }}
    where
        paper = 'diversity'
        and table_no = '4'
        and value is not null
),

names as (
    {% for measure, similarity in printed.items() %}
    select
        '{{ measure }}' as measure,
        '{{ similarity }}' as similarity,
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

aliases as (
    select
        paper,
        printed_lm,
        lower(lm) as lm,
    from {{ ref('published_lm') }}
),

-- a correlation has no direction, and the table is symmetric
agreements as (
    {% for one, other in [('a', 'b'), ('b', 'a')] %}
    select
        {{ listed(entry_columns()) }}
        similarity_{{ one }} as similarity,
        similarity_{{ other }} as other_similarity,
        nullif(scorer_{{ one }}, '') as scorer,
        scorer_id_{{ one }} as scorer_id,
        nullif(scorer_{{ other }}, '') as other_scorer,
        scorer_id_{{ other }} as other_scorer_id,
        n_pairs as n_used,
        pearson as ours,
    from {{ ref('measure_agreement', v=1) }}
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

-- the pairs of the table are of all language models of the paper
matched as (
    select
        results.result_id,
        results.paper,
        results.table_no,
        aliases.printed_lm,
        {{ listed(entry_columns(), 'agreements') }}
        results.measure,
        results.other_measure,
        results.statistic,
        agreements.similarity,
        agreements.scorer,
        agreements.scorer_id,
        agreements.other_similarity,
        agreements.other_scorer,
        agreements.other_scorer_id,
        agreements.n_used,
        results.printed,
        results.published,
        agreements.ours,
        results.tolerance,
    from results
    inner join names on results.measure = names.measure
    inner join names as other_names on results.other_measure = other_names.measure
    inner join aliases on results.paper = aliases.paper
    inner join agreements
        on
            aliases.lm = lower(agreements.lm)
            and names.similarity = agreements.similarity
            and other_names.similarity = agreements.other_similarity
),

side_by_side as (
    select
        *,
        ours - published as difference,
        abs(ours - published) <= tolerance as agrees,
    from matched
)

select * from side_by_side
