{#- Parts of the key of a row; a part that a paper does not have is left out. -#}
{% set keys = [
    'result_id', 'lm_id', 'dataset', 'dataset_version', 'setting_id', 'forward_setting_id',
    'scorer_id',
] %}

with calibration as (
    select *
    from {{ ref('reproduction', v=1) }}
),

lines as (
    select *
    from {{ ref('line_reproduction', v=1) }}
),

effects as (
    select *
    from {{ ref('effect_reproduction', v=1) }}
),

round_trips as (
    select *
    from {{ ref('round_trip_reproduction', v=1) }}
),

strategies as (
    select *
    from {{ ref('strategy_reproduction', v=1) }}
),

similarities as (
    select *
    from {{ ref('similarity_reproduction', v=1) }}
),

agreements as (
    select *
    from {{ ref('agreement_reproduction', v=1) }}
),

pair_counts as (
    select *
    from {{ ref('pair_reproduction', v=1) }}
),

operators as (
    select *
    from {{ ref('operator_reproduction', v=1) }}
),

results as (
    select
        result_id,
        dataset as printed_dataset,
    from {{ ref('published_results') }}
),

stacked as (
    select *
    from calibration
    union all by name
    select
        *,
        'share' as statistic,
    from lines
    union all by name
    select
        effects.* exclude (n_pairs, printed_dataset),
        effects.n_pairs as n_used,
    from effects
    union all by name
    select * exclude (reproduction_id)
    from round_trips
    union all by name
    select * exclude (strategy, temperature, difficulty, similarity)
    from strategies
    union all by name
    select * exclude (temperature, difficulty, similarity)
    from similarities
    union all by name
    select
        agreements.* exclude (
            measure, other_measure, similarity, other_similarity,
            scorer, other_scorer, scorer_id, other_scorer_id
        ),
        agreements.measure || ' with ' || agreements.other_measure as measure,
        nullif(
            concat_ws(' with ', agreements.scorer, agreements.other_scorer), ''
        ) as scorer,
        nullif(
            concat_ws(
                ' with ', nullif(agreements.scorer_id, ''), nullif(agreements.other_scorer_id, '')
            ),
            ''
        ) as scorer_id,
    from agreements
    union all by name
    select * exclude (printed_dataset)
    from pair_counts
    union all by name
    select *
    from operators
),

published as (
    select
        concat_ws(
            '/',
            {% for key in keys %}
            nullif(stacked.{{ key }}, ''){{ ',' if not loop.last }}
            {% endfor %}
        ) as reproduction_id,
        stacked.result_id,
        stacked.paper,
        stacked.table_no,
        stacked.printed_lm,
        stacked.lm_id,
        stacked.lm,
        stacked.revision,
        stacked.simulated,
        coalesce(results.printed_dataset, stacked.dataset) as printed_dataset,
        stacked.dataset,
        stacked.dataset_version,
        stacked.setting_id,
        stacked.setting,
        stacked.forward_setting_id,
        stacked.forward_setting,
        stacked.notion,
        stacked.measure,
        stacked.scorer,
        stacked.rescaler,
        stacked.mutation,
        stacked.operator,
        stacked.statistic,
        stacked.paper_departures,
        stacked.n_used,
        stacked.printed,
        stacked.published,
        stacked.ours,
        stacked.difference,
        stacked.tolerance,
        stacked.agrees,
    from stacked
    left join results on stacked.result_id = results.result_id
)

select * from published
