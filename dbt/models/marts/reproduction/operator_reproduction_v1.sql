with cells as (
    select
        result_id,
        paper,
        table_no,
        lm as printed_lm,
        mutation,
        operator,
        statistic,
        printed,
        value / 100 as published,
        {{ half_unit('decimals') }} / 100 as tolerance,
    from {{ ref('published_results') }}
    where
        paper = 'mutations'
        and table_no = '3'
        -- how often an operator is in training code is not known here
        and statistic = 'accuracy_drop'
),

-- the table names no dataset: ours is over all that the paper uses
datasets as (
    select distinct
        paper,
        unnest(string_split(dataset, '+')) as dataset,
    from {{ ref('published_results') }}
    where
        paper = 'mutations'
        and table_no = '1'
),

aliases as (
    select
        paper,
        printed_lm,
        lower(lm) as lm,
    from {{ ref('published_lm') }}
),

effects as (
    select *
    from {{ ref('operator_effect', v=1) }}
    where accuracy_drop is not null
),

-- every pair counts the same
pooled as (
    select
        cells.result_id,
        effects.lm_id,
        effects.setting_id,
        string_agg(distinct effects.dataset, '+' order by effects.dataset) as dataset,
        sum(effects.accuracy_drop * effects.n_used order by effects.release_id)
        / sum(effects.n_used) as ours,
        any_value(effects.lm) as lm,
        any_value(effects.revision) as revision,
        any_value(effects.simulated) as simulated,
        any_value(effects.setting) as setting,
        cast(sum(effects.n_used) as bigint) as n_used,
    from cells
    inner join aliases
        on
            cells.paper = aliases.paper
            and cells.printed_lm = aliases.printed_lm
    inner join effects
        on
            aliases.lm = lower(effects.lm)
            and cells.operator = effects.operator
    inner join datasets on effects.dataset = datasets.dataset
    group by cells.result_id, effects.lm_id, effects.setting_id
),

matched as (
    select
        cells.result_id,
        cells.paper,
        cells.table_no,
        cells.printed_lm,
        pooled.lm_id,
        pooled.lm,
        pooled.revision,
        pooled.simulated,
        pooled.dataset,
        pooled.setting_id,
        pooled.setting,
        cells.mutation,
        cells.operator,
        cells.statistic,
        pooled.n_used,
        cells.printed,
        cells.published,
        pooled.ours,
        cells.tolerance,
    from cells
    inner join pooled on cells.result_id = pooled.result_id
),

side_by_side as (
    select
        *,
        ours - published as difference,
        abs(ours - published) <= tolerance as agrees,
    from matched
)

select * from side_by_side
