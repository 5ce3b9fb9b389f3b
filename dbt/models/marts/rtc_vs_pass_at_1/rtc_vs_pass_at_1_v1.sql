{#- Fewer language models give no interval, and a correlation is published only with one. The orders
    of more than the second are too many to list. -#}
{% set least_n = 4 %}
{% set most_ordered = 8 %}
{% set keys = ['source', 'dataset', 'statistic'] %}

{#- What our numbers are called in the paper's Table 2. -#}
{% set statistics = {'pass_at_1': 'pass_at_1', 'rtc': 'rtc_pass', 'lift': 'lift_pass'} %}

with published_cells as (
    select
        'published' as source,
        paper,
        dataset,
        lm,
        statistic,
        value,
    from {{ ref('published_results') }}
    where
        paper = 'round_trip'
        and table_no = '2'
),

beside as (
    select *
    from {{ ref('rtc_beside_pass_at_1', v=1) }}
),

results as (
    select *
    from published_cells
    {% for column, statistic in statistics.items() %}
    union all
    select
        if(simulated, 'ours_simulated', 'ours') as source,
        'round_trip' as paper,
        dataset,
        lm_id as lm,
        '{{ statistic }}' as statistic,
        {{ column }} as value,
    from beside
    {% endfor %}
),

paired as (
    select
        round_trips.source,
        round_trips.paper,
        round_trips.dataset,
        round_trips.statistic,
        pass_rates.value as pass_rate,
        round_trips.value as round_trip,
        pass_rates.value is not null and round_trips.value is not null as is_whole,
    from results as round_trips
    inner join results as pass_rates
        on
            round_trips.source = pass_rates.source
            and round_trips.dataset = pass_rates.dataset
            and round_trips.lm = pass_rates.lm
    where
        round_trips.statistic in ('rtc_pass', 'lift_pass')
        and pass_rates.statistic = 'pass_at_1'
),

sizes as (
    select
        {{ listed(keys) }}
        any_value(paper) as paper,
        count(*) as n_lms,
        count(*) filter (is_whole) as n,
    from paired
    group by {{ keys | join(', ') }}
),

ranked as (
    select
        {{ listed(keys) }}
        pass_rate,
        round_trip,
        {{ mid_rank('pass_rate', keys) }} as pass_rank,
        {{ mid_rank('round_trip', keys) }} as round_trip_rank,
    from paired
    where is_whole
),

correlated as (
    select
        {{ listed(keys) }}
        {{ pearson('pass_rate', 'round_trip') }} as pearson,
        {{ pearson('pass_rank', 'round_trip_rank') }} as spearman,
        list(cast(pass_rank as double) order by pass_rank, round_trip_rank) as pass_ranks,
        list(cast(round_trip_rank as double) order by pass_rank, round_trip_rank)
            as round_trip_ranks,
    from ranked
    group by {{ keys | join(', ') }}
),

reasoned as (
    select
        {{ listed(keys, 'sizes') }}
        sizes.paper,
        sizes.n_lms,
        sizes.n,
        correlated.pearson,
        correlated.spearman,
        correlated.pass_ranks,
        correlated.round_trip_ranks,
        case
            when sizes.n = 0 then 'not_applicable'
            when sizes.n < {{ least_n }} then 'n_lt_min'
            when correlated.pearson is null then 'zero_variance'
        end as null_reason,
    from sizes
    left join correlated
        on
    {% for key in keys %}
        sizes.{{ key }} = correlated.{{ key }}{{ ' and' if not loop.last }}
    {% endfor %}
),

-- every order of so many places, one place after the other
orders as (
    with recursive grown as (
        select distinct
            n,
            cast([] as bigint[]) as places,
        from reasoned
        where
            null_reason is null
            and n <= {{ most_ordered }}
        union all
        select
            grown.n,
            list_append(grown.places, place.place) as places,
        from grown
        cross join lateral range(1, grown.n + 1) as place (place)
        where not list_contains(grown.places, place.place)
    )

    select
        n,
        places,
    from grown
    where len(places) = n
),

-- sums of products of ranks are multiples of a quarter, and orders differ in nothing else
products as (
    select
        {{ listed(keys, 'reasoned') }}
        reasoned.n * pow((reasoned.n + 1) / 2, 2) as expected,
        list_inner_product(reasoned.pass_ranks, reasoned.round_trip_ranks) as observed,
        list_inner_product(
            reasoned.pass_ranks, list_select(reasoned.round_trip_ranks, orders.places)
        ) as drawn,
    from reasoned
    inner join orders on reasoned.n = orders.n
    where reasoned.null_reason is null
),

tails as (
    select
        {{ listed(keys) }}
        avg(cast(abs(drawn - expected) >= abs(observed - expected) as integer)) as p,
    from products
    group by {{ keys | join(', ') }}
),

published as (
    select
        {{ listed(keys, 'reasoned') }}
        reasoned.paper,
        reasoned.n_lms,
        reasoned.n,
        if(reasoned.null_reason is null, reasoned.pearson, null) as pearson,
        if(
            reasoned.null_reason is null,
            {{ fisher_bound('reasoned.pearson', 'reasoned.n', '-') }},
            null
        ) as pearson_lo,
        if(
            reasoned.null_reason is null,
            {{ fisher_bound('reasoned.pearson', 'reasoned.n', '+') }},
            null
        ) as pearson_hi,
        if(
            reasoned.null_reason is null,
            {{ correlation_p('reasoned.pearson', 'reasoned.n') }},
            null
        ) as pearson_p,
        if(reasoned.null_reason is null, reasoned.spearman, null) as spearman,
        if(
            reasoned.null_reason is null,
            {{ correlation_p('reasoned.spearman', 'reasoned.n') }},
            null
        ) as spearman_p,
        tails.p as spearman_p_exact,
        reasoned.n < {{ var('few_clusters') }} as few_pairs,
        reasoned.null_reason,
        'rtc_vs_pass_at_1_v1' as view_version,
    from reasoned
    left join tails
        on
    {% for key in keys %}
        reasoned.{{ key }} = tails.{{ key }}{{ ' and' if not loop.last }}
    {% endfor %}
)

select * from published
