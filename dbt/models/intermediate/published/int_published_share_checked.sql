{#- Table 4: the percentages that are sums of two others. -#}
{% set sums = [
    ('4.not_exact_match', 'not_exact_match', 'neither', 'all_pass_only'),
    ('4.exact_match', 'exact_match', 'exact_match_only', 'both'),
    ('4.not_all_pass', 'not_all_pass', 'neither', 'exact_match_only'),
    ('4.all_pass', 'all_pass', 'all_pass_only', 'both'),
    ('4.all by exact match', 'all', 'not_exact_match', 'exact_match'),
    ('4.all by all-pass', 'all', 'not_all_pass', 'all_pass'),
] %}

with results as (
    select
        *,
        printed as printed_text,
        {{ half_unit('decimals') }} as tolerance,
        if(setting = 'no docstring', 'no_docstring', 'original') as variant,
    from {{ ref('published_results') }}
    where
        paper = 'calibration'
        and value is not null
),

shares as (
    select
        * exclude (printed, note),
        value as printed,
    from results
    where
        statistic = 'share'
        and table_no in ('2', '3', '4')
),

counts as (
    select *
    from {{ ref('published_counts') }}
    where paper = 'calibration'
),

form_checks as (
    select
        * exclude (tolerance),
        0.0 as tolerance,
        'percentage_with_two_decimals' as check_name,
        result_id as item,
        round(printed, 2) as ours,
        regexp_full_match(printed_text, '[0-9]+[.][0-9]{2}') as agrees,
        'Tables 2 to 4 have two decimals.' as note,
    from shares
),

counted_share_checks as (
    select
        shares.*,
        'table_' || shares.table_no || '_share' as check_name,
        shares.result_id as item,
        100 * counts.n_correct / counts.n_total as ours,
        abs(100 * counts.n_correct / counts.n_total - shares.printed)
        <= shares.tolerance as agrees,
        counts.n_correct || ' of ' || counts.n_total || '.' as note,
    from shares
    inner join counts on {{ equal(['lm', 'dataset', 'notion', 'variant'], 'shares', 'counts') }}
    where
        shares.table_no in ('2', '3')
        and counts.table_no in ('2', '3')
),

-- Table 4 splits one number of samples by both notions of correctness
split_counts as (
    select
        lm,
        dataset,
        any_value(n_total) as n_total,
        max(n_correct) filter (notion = 'neither') as neither,
        max(n_correct) filter (notion = 'all_pass_only') as all_pass_only,
        max(n_correct) filter (notion = 'exact_match_only') as exact_match_only,
        max(n_correct) filter (notion = 'both') as both_right,
    from counts
    where table_no = '4'
    group by lm, dataset
),

split_share_checks as (
    select
        shares.*,
        'table_4_share' as check_name,
        shares.result_id as item,
        100 * case shares.notion
            when 'neither' then split_counts.neither
            when 'all_pass_only' then split_counts.all_pass_only
            when 'exact_match_only' then split_counts.exact_match_only
            when 'both' then split_counts.both_right
            when 'all_pass' then split_counts.all_pass_only + split_counts.both_right
            when 'not_all_pass' then split_counts.neither + split_counts.exact_match_only
            when 'exact_match' then split_counts.exact_match_only + split_counts.both_right
            when 'not_exact_match' then split_counts.neither + split_counts.all_pass_only
            when 'all' then split_counts.n_total
        end / split_counts.n_total as ours,
        abs(ours - shares.printed) <= shares.tolerance as agrees,
        'From the four counts of Table 4.' as note,
    from shares
    inner join split_counts on {{ equal(['lm', 'dataset'], 'shares', 'split_counts') }}
    where shares.table_no = '4'
),

-- three numbers are rounded: their half units add
sum_checks as (
    {% for item, whole, one, other in sums %}
    select
        whole.* exclude (tolerance),
        'table_4_sum' as check_name,
        '{{ item }}' as item,
        one.printed + other.printed as ours,
        whole.tolerance + one.tolerance + other.tolerance as tolerance,
        abs(one.printed + other.printed - whole.printed)
        <= whole.tolerance + one.tolerance + other.tolerance as agrees,
        'Sum of two printed percentages; tolerance: the rounding of all three.' as note,
    from shares as whole
    cross join shares as one
    cross join shares as other
    where
        whole.table_no = '4'
        and one.table_no = '4'
        and other.table_no = '4'
        and whole.notion = '{{ whole }}'
        and one.notion = '{{ one }}'
        and other.notion = '{{ other }}'
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

-- its margins are correctness rates, and so must be those of its language model in Table 2
margin_checks as (
    select
        counts.paper,
        'table_4_margin' as check_name,
        margin.dataset || '.' || margin.notion as item,
        cast(null as varchar) as printed_text,
        cast(counts.n_correct as double) as printed,
        cast(margin.n_correct as double) as ours,
        0.0 as tolerance,
        margin.n_correct = counts.n_correct as agrees,
        'Right samples of ' || margin.lm || ' by the four counts; printed: those of Table 2.'
            as note,
    from (
        select
            lm,
            dataset,
            unnest(['all_pass', 'exact_match']) as notion,
            unnest([all_pass_only + both_right, exact_match_only + both_right]) as n_correct,
        from split_counts
    ) as margin
    inner join counts on {{ equal(['lm', 'dataset', 'notion'], 'margin', 'counts') }}
    where counts.table_no = '2'
),

repeated_checks as (
    select
        shares.* exclude (tolerance),
        0.0 as tolerance,
        'table_3_repeats_table_2' as check_name,
        shares.result_id as item,
        original.printed as ours,
        shares.printed_text = original.printed_text as agrees,
        'The same percentage in Table 2.' as note,
    from shares
    inner join shares as original
        on {{ equal(['lm', 'dataset', 'notion', 'variant'], 'shares', 'original') }}
    where
        shares.table_no = '3'
        and original.table_no = '2'
),

stated_sizes as (
    select
        * exclude (printed, note),
        value as printed,
    from results
    where statistic = 'n_total'
),

largest_sizes as (
    select
        dataset,
        max(printed) as printed,
    from stated_sizes
    group by dataset
),

-- a size fits when some integers of that size round to every percentage printed of it
fitting_sizes as (
    select
        shares.dataset,
        candidate.n,
    from shares
    inner join largest_sizes on shares.dataset = largest_sizes.dataset
    cross join lateral range(1, cast(largest_sizes.printed as bigint) + 1) as candidate (n)
    where shares.table_no in ('3', '4')
    group by shares.dataset, candidate.n
    having
        bool_and(
            abs(100 * round(shares.printed * candidate.n / 100) / candidate.n - shares.printed)
            <= shares.tolerance
        )
        and sum(round(shares.printed * candidate.n / 100)) filter (
            shares.notion in ('neither', 'all_pass_only', 'exact_match_only', 'both')
        ) = candidate.n
),

all_sizes as (
    select
        dataset,
        max(n) as largest_n,
        string_agg(n, ', ' order by n) as all_n,
    from fitting_sizes
    group by dataset
),

stated_size_checks as (
    select
        stated_sizes.* exclude (tolerance),
        0.0 as tolerance,
        'stated_size' as check_name,
        stated_sizes.result_id as item,
        cast(all_sizes.largest_n as double) as ours,
        stated_sizes.printed = all_sizes.largest_n as agrees,
        'Largest size up to the stated one that fits Tables 3 and 4; those that fit: '
        || all_sizes.all_n || '.' as note,
    from stated_sizes
    inner join all_sizes on stated_sizes.dataset = all_sizes.dataset
),

counted_sizes as (
    select
        dataset,
        max(n_total) as n_total,
    from counts
    group by dataset
    having count(distinct n_total) = 1
),

counted_size_checks as (
    select
        stated_sizes.* exclude (tolerance),
        0.0 as tolerance,
        'counted_size' as check_name,
        stated_sizes.result_id as item,
        cast(counted_sizes.n_total as double) as ours,
        stated_sizes.printed = counted_sizes.n_total as agrees,
        'The one size of all counts behind the percentages of this dataset.' as note,
    from stated_sizes
    inner join counted_sizes on stated_sizes.dataset = counted_sizes.dataset
),

stated_share_checks as (
    select
        shares.*,
        'share_of_stated_size' as check_name,
        shares.result_id as item,
        100 * round(shares.printed * sizes.printed / 100) / sizes.printed as ours,
        abs(100 * round(shares.printed * sizes.printed / 100) / sizes.printed - shares.printed)
        <= shares.tolerance as agrees,
        'The nearest share of the ' || cast(sizes.printed as bigint)
        || ' samples that Table 1 states.' as note,
    from shares
    inner join stated_sizes as sizes on shares.dataset = sizes.dataset
    where
        sizes.table_no = '1'
        and sizes.dataset = 'dypybench'
        and (shares.table_no = '2' or shares.setting = 'no docstring')
),

checks as (
    {{ stacked_checks([
        'form_checks', 'counted_share_checks', 'split_share_checks', 'sum_checks', 'margin_checks',
        'repeated_checks', 'stated_size_checks', 'counted_size_checks', 'stated_share_checks',
    ]) }}
)

select * from checks
