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

pair_counts as (
    select
        result_id,
        paper,
        dataset,
        mutation,
        printed_text,
        printed,
        tolerance,
    from results
    where statistic = 'n_pairs'
),

effects as (
    select
        result_id,
        paper,
        dataset,
        mutation,
        printed_text,
        printed,
        tolerance,
    from results
    where
        table_no = '2'
        and statistic = 'ame'
),

-- a total is of the datasets that its name joins
total_checks as (
    select
        totals.paper,
        'total_of_pairs' as check_name,
        totals.result_id as item,
        totals.printed_text,
        totals.printed,
        sum(parts.printed) as ours,
        totals.tolerance,
        sum(parts.printed) = totals.printed as agrees,
        'computed' as status,
        'Sum of the pairs of Table 1 over its datasets.' as note,
    from pair_counts as totals
    inner join pair_counts as parts
        on
            totals.paper = parts.paper
            and totals.mutation = parts.mutation
            and totals.dataset != parts.dataset
    where totals.dataset = 'humaneval+mbpp+codecontests'
    group by
        totals.paper, totals.result_id, totals.printed_text, totals.printed, totals.tolerance
),

-- few enough pairs to tell how an effect was computed: of more, any number is some share
sizes as (
    select
        effects.*,
        parts.parts,
        size.n,
        100 * round(effects.printed * parts.parts * size.n / 100) / (parts.parts * size.n)
            as nearest,
    from effects
    inner join pair_counts
        on
            effects.paper = pair_counts.paper
            and effects.dataset = pair_counts.dataset
            and effects.mutation = pair_counts.mutation
    cross join (values (1), (10)) as parts (parts)
    cross join lateral range(1, cast(pair_counts.printed as bigint) + 1) as size (n)
    where pair_counts.printed < 50
),

share_checks as (
    select
        paper,
        if(parts = 1, 'share_of_whole_pairs', 'share_of_tenths') as check_name,
        result_id as item,
        printed_text,
        printed,
        arg_min(nearest, (abs(nearest - printed), -n)) as ours,
        tolerance,
        min(abs(nearest - printed)) <= tolerance as agrees,
        'computed' as status,
        if(
            parts = 1,
            'One completion a side gives a whole number of pairs over another, of as many as Table'
            || ' 1 has or fewer.',
            'Ten completions a side give tenths over pairs.'
        )
        || ' Sizes that fit: '
        || coalesce(
            string_agg(n, ', ' order by n) filter (abs(nearest - printed) <= tolerance), 'none'
        )
        || '.' as note,
    from sizes
    group by paper, parts, result_id, printed_text, printed, tolerance
),

largest_checks as (
    select
        stated.paper,
        'largest_effect' as check_name,
        stated.result_id as item,
        stated.printed_text,
        stated.printed,
        max(effects.printed) as ours,
        stated.tolerance,
        abs(max(effects.printed) - stated.printed) <= stated.tolerance as agrees,
        'computed' as status,
        'Largest cell of Table 2: ' || arg_max(effects.result_id, effects.printed) || '.' as note,
    from results as stated
    inner join effects
        on
            stated.paper = effects.paper
            and (
                stated.mutation is null
                or list_contains(string_split(stated.mutation, '+'), effects.mutation)
            )
    where stated.statistic = 'largest_ame'
    group by stated.paper, stated.result_id, stated.printed_text, stated.printed, stated.tolerance
),

checks as (
    select {{ columns }} from total_checks
    union all
    select {{ columns }} from share_checks
    union all
    select {{ columns }} from largest_checks
)

select * from checks
