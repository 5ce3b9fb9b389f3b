{% set columns = 'paper, check_name, item, printed_text, printed, ours, tolerance, agrees, '
    'status, note' %}

with results as (
    select
        result_id,
        paper,
        table_no,
        dataset,
        mutation,
        statistic,
        printed as printed_text,
        value as printed,
        {{ half_unit('decimals') }} as tolerance,
    from {{ ref('published_results') }}
    where paper = 'mutations'
),

effects as (
    select
        effect_id,
        paper,
        table_no,
        dataset,
        mutation,
        position,
        n_pairs,
        10.0 * n_tenths / n_pairs as percent,
    from {{ ref('published_effects') }}
),

stated_pairs as (
    select
        paper,
        dataset,
        mutation,
        printed_text,
        printed,
    from results
    where statistic = 'n_pairs'
),

-- were one completion a side the rule, an effect would be a whole number of pairs over another;
-- the fraction known and the number printed may each be half a unit from what is between them
whole_shares as (
    select
        effects.effect_id,
        effects.paper,
        effects.percent,
        2 * {{ half_unit(2) }} as tolerance,
        arg_min(
            100 * round(effects.percent / 100 * size.n) / size.n,
            abs(100 * round(effects.percent / 100 * size.n) / size.n - effects.percent)
        ) as nearest,
    from effects
    inner join stated_pairs
        on
            effects.paper = stated_pairs.paper
            and effects.dataset = stated_pairs.dataset
            and effects.mutation = stated_pairs.mutation
    cross join lateral range(1, cast(stated_pairs.printed as bigint) + 1) as size (n)
    group by all
),

whole_checks as (
    select
        paper,
        'share_of_whole_pairs' as check_name,
        effect_id as item,
        cast(null as varchar) as printed_text,
        percent as printed,
        nearest as ours,
        tolerance,
        abs(nearest - percent) <= tolerance as agrees,
        'computed' as status,
        'Nearest share of whole pairs, of as many as Table 1 has or fewer: one completion a side'
        || ' would give one. The printed number is the fraction known, rounded.' as note,
    from whole_shares
),

column_means as (
    select
        paper,
        table_no,
        dataset,
        mutation,
        avg(percent order by position) as percent,
    from effects
    group by all
),

mean_checks as (
    select
        results.paper,
        'mean_of_effects' as check_name,
        results.result_id as item,
        results.printed_text,
        results.printed,
        column_means.percent as ours,
        results.tolerance,
        abs(column_means.percent - results.printed) <= results.tolerance as agrees,
        'computed' as status,
        'Mean of the ten effects as tenths over pairs: which column of Table 2 they are.' as note,
    from results
    inner join column_means
        on
            results.paper = column_means.paper
            and results.table_no = column_means.table_no
            and results.dataset = column_means.dataset
            and results.mutation = column_means.mutation
    where results.statistic = 'mean_ame'
),

size_checks as (
    select
        effects.paper,
        'pairs_within_table_1' as check_name,
        effects.effect_id as item,
        stated_pairs.printed_text,
        stated_pairs.printed,
        cast(effects.n_pairs as double) as ours,
        0.0 as tolerance,
        effects.n_pairs <= stated_pairs.printed as agrees,
        'computed' as status,
        'Pairs behind the effect; fewer than Table 1 has, for some do not count.' as note,
    from effects
    inner join stated_pairs
        on
            effects.paper = stated_pairs.paper
            and effects.dataset = stated_pairs.dataset
            and effects.mutation = stated_pairs.mutation
),

checks as (
    select {{ columns }} from whole_checks
    union all
    select {{ columns }} from mean_checks
    union all
    select {{ columns }} from size_checks
)

select * from checks
