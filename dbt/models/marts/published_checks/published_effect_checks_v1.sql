{% set columns = 'paper, check_name, item, printed_text, printed, ours, tolerance, agrees, '
    'status, note' %}
{#- Means of the columns of Table 2 by a second reading of the paper, which prints none: a mistyped
    cell would move its mean. NULL is the accuracy on the original side. -#}
{% set second_reading = {
    'humaneval+mbpp': [
        (none, 60.31), ('names_random', 17.27), ('names_shuffle', 20.98),
        ('if_else_flip', 19.93), ('independent_swap', 8.19), ('def_use_break', 11.97),
    ],
    'codecontests': [
        (none, 40.04), ('names_random', 19.41), ('names_shuffle', 20.59),
        ('if_else_flip', 29.34), ('independent_swap', 8.29), ('def_use_break', 24.32),
    ],
} %}

with results as (
    select
        result_id,
        paper,
        table_no,
        lm,
        dataset,
        mutation,
        statistic,
        unit,
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
    where
        table_no = '1'
        and statistic = 'n_pairs'
),

effects as (
    select
        result_id,
        paper,
        lm,
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

-- the ratio of Table 3 has one decimal; every other number has two, and a sign
form_checks as (
    select
        paper,
        'two_decimals_and_a_sign' as check_name,
        result_id as item,
        printed_text,
        printed,
        round(printed, 2) as ours,
        0.0 as tolerance,
        if(
            statistic = 'frequency_ratio',
            regexp_full_match(printed_text, '[0-9][.][0-9]') and unit = 'ratio',
            regexp_full_match(printed_text, '[0-9]{1,2}[.][0-9]{2}') and unit = 'percent'
        ) as agrees,
        'computed' as status,
        'Percentages of Tables 2 and 3 have two decimals, the ratios of Table 3 one.' as note,
    from results
    where table_no in ('2', '3')
),

second_reading as (
    {% for dataset, columns_read in second_reading.items() %}
    {%- set last_dataset = loop.last -%}
    {% for mutation, mean in columns_read %}
    select
        '{{ dataset }}' as dataset,
        {{ "'" ~ mutation ~ "'" if mutation else 'cast(null as varchar)' }} as mutation,
        {{ mean }} as mean,
    {{ 'union all' if not (loop.last and last_dataset) }}
    {% endfor %}
    {% endfor %}
),

mean_checks as (
    select
        results.paper,
        'column_mean' as check_name,
        'm2.' || results.dataset || '.' || coalesce(results.mutation, 'original') as item,
        cast(null as varchar) as printed_text,
        cast(second_reading.mean as double) as printed,
        avg(results.printed) as ours,
        {{ half_unit(2) }} as tolerance,
        abs(avg(results.printed) - second_reading.mean) <= {{ half_unit(2) }} as agrees,
        'cited' as status,
        'Mean over ' || count(*) || ' language models; printed is that of a second reading.'
            as note,
    from results
    inner join second_reading
        on
            results.dataset = second_reading.dataset
            and results.mutation is not distinct from second_reading.mutation
    where results.table_no = '2'
    group by results.paper, results.dataset, results.mutation, second_reading.mean
),

-- §5.2 says which mutation has the smallest effect
smallest_checks as (
    select
        swaps.paper,
        'independent_swap_is_smallest' as check_name,
        swaps.result_id as item,
        swaps.printed_text,
        swaps.printed,
        min(others.printed) as ours,
        0.0 as tolerance,
        swaps.printed < min(others.printed) as agrees,
        'computed' as status,
        'Smallest effect of the other mutations: '
        || arg_min(others.mutation, others.printed) || '.' as note,
    from effects as swaps
    inner join effects as others
        on
            swaps.dataset = others.dataset
            and swaps.lm = others.lm
            and swaps.mutation != others.mutation
    where swaps.mutation = 'independent_swap'
    group by swaps.paper, swaps.result_id, swaps.printed_text, swaps.printed
),

stated_pair_checks as (
    select
        stated.paper,
        'pairs_of_the_text' as check_name,
        stated.result_id as item,
        stated.printed_text,
        stated.printed,
        pair_counts.printed as ours,
        0.0 as tolerance,
        stated.printed = pair_counts.printed as agrees,
        'computed' as status,
        'The same number in Table 1.' as note,
    from results as stated
    inner join pair_counts
        on
            stated.dataset = pair_counts.dataset
            and stated.mutation = pair_counts.mutation
    where
        stated.table_no = 'text'
        and stated.statistic = 'n_pairs'
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

-- the numbers of the text are lost in the text at hand: Table 2 still has what they are of
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
        'Largest cell of Table 2: ' || arg_max(effects.result_id, effects.printed) || '.'
        || if(stated.printed is null, ' The number of the text is lost.', '') as note,
    from results as stated
    inner join effects
        on
            stated.paper = effects.paper
            and (
                stated.mutation is null
                or list_contains(string_split(stated.mutation, '+'), effects.mutation)
            )
    where stated.statistic = 'max_ame'
    group by stated.paper, stated.result_id, stated.printed_text, stated.printed, stated.tolerance
),

checks as (
    {% for check in [
        'form', 'mean', 'smallest', 'stated_pair', 'total', 'share', 'largest',
    ] %}
    select {{ columns }} from {{ check }}_checks
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

{{ explained_checks() }}

select * from explained
