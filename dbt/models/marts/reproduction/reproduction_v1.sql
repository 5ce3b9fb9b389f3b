{% set statistics = ['base_rate', 'brier', 'skill_score', 'ece', 'auroc'] %}
{% set published_columns = 'result_id, paper, table_no, printed_lm, dataset, notion, measure, '
    'rescaler, statistic, printed, published, tolerance' %}

with results as (
    select
        result_id,
        paper,
        table_no,
        lm as printed_lm,
        dataset,
        notion,
        measure,
        rescaler,
        statistic,
        printed_text as printed,
        printed as published,
        tolerance,
    from {{ ref('int_published_score') }}
    where printed is not null
),

-- the share of right answers is printed as a percentage, of which the counts are known
rates as (
    select
        count_id as result_id,
        paper,
        table_no,
        lm as printed_lm,
        dataset,
        notion,
        'unskilled' as measure,
        'none' as rescaler,
        'base_rate' as statistic,
        cast(null as varchar) as printed,
        n_correct / n_total as published,
        0.5 / n_total as tolerance,
    from {{ ref('published_counts') }}
    where
        lm is not null
        and variant = 'original'
),

published as (
    select
        {{ published_columns }}
    from results
    union all
    select
        {{ published_columns }}
    from rates
),

aliases as (
    select
        paper,
        printed_lm,
        lower(lm) as lm,
    from {{ ref('published_lm') }}
),

scores as (
    select
        {{ listed(entry_columns()) }}
        notion,
        paper_departures,
        measure,
        'none' as rescaler,
        n_used,
        {{ listed(statistics) }}
    from {{ ref('calibration_raw', v=1) }}
    union all by name
    select
        {{ listed(entry_columns()) }}
        notion,
        paper_departures,
        measure,
        rescaler,
        n_used,
        brier,
        skill_score,
        ece,
    from {{ ref('calibration_scaled', v=1) }}
),

matched as (
    select
        published.result_id,
        published.paper,
        published.table_no,
        published.printed_lm,
        {{ listed(entry_columns(), 'scores') }}
        published.notion,
        published.measure,
        published.rescaler,
        published.statistic,
        scores.paper_departures,
        scores.n_used,
        published.printed,
        published.published,
        case published.statistic
            {% for statistic in statistics %}
            when '{{ statistic }}' then scores.{{ statistic }}
            {% endfor %}
        end as ours,
        published.tolerance,
    from published
    inner join aliases
        on
            published.paper = aliases.paper
            and published.printed_lm = aliases.printed_lm
    inner join scores
        on
            aliases.lm = lower(scores.lm)
            and published.dataset = scores.dataset
            and published.notion = scores.notion
            and published.measure = scores.measure
            and published.rescaler = scores.rescaler
),

side_by_side as (
    select
        *,
        ours - published as difference,
        abs(ours - published) <= tolerance as agrees,
    from matched
)

select * from side_by_side
