{#- A test of exchangeability by betting, closed form; decision 26 says why. A stream is a metric of
    a subject. For each problem, tonight's value is compared with those of the last nights in which
    it had as many samples. The factor is exp(bet x) over the mean of exp(bet x) of these nights and
    tonight. Were tonight one of them at random, the expectation would be 1, whatever the values
    are. The product over problems, and over the nights since a change may have begun, is what a
    bettor has who began with 1. Beginnings have the weights h / ((j + h - 1) (j + h)), which sum to
    1. -#}
{% set horizon = var('alert_horizon') %}
{% set problem_nights %}
    partition by stream_no, problem_index, n
    order by night_no
    rows between {{ var('alert_nights') }} preceding and current row
{% endset %}

with night_values as (
    select *
    from {{ ref('int_night_value') }}
),

nights as (
    select *
    from {{ ref('int_night_numbered') }}
),

bet_sizes as (
    select cast(unnest({{ var('alert_bets') }}) as double) as size
),

bets as (
    select size as bet
    from bet_sizes
    union all
    select -size as bet
    from bet_sizes
),

streams as (
    select
        cast(
            row_number() over (order by subject_kind, subject_no, metric) as integer
        ) as stream_no,
        subject_kind,
        subject_no,
        metric,
    from night_values
    group by subject_kind, subject_no, metric
),

valued as (
    select
        streams.stream_no,
        night_values.night_no,
        nights.started_at,
        night_values.problem_index,
        night_values.n,
        night_values.value,
    from night_values
    inner join streams
        on
            night_values.subject_kind = streams.subject_kind
            and night_values.subject_no = streams.subject_no
            and night_values.metric = streams.metric
    inner join nights
        on
            night_values.subject_kind = nights.subject_kind
            and night_values.subject_no = nights.subject_no
            and night_values.night_no = nights.night_no
),

beginnings as (
    select
        stream_no,
        min(started_at) as first_at,
    from valued
    group by stream_no
),

moments as (
    select distinct started_at
    from nights
),

-- all streams that had begun before share the error
families as (
    select
        moments.started_at,
        count(*) as n_streams,
    from moments
    inner join beginnings on moments.started_at > beginnings.first_at
    group by moments.started_at
),

seen as (
    select
        *,
        count(*) over ({{ problem_nights }}) as n_nights,
        sum(value) over ({{ problem_nights }}) as value_sum,
    from valued
),

compared as (
    select
        stream_no,
        night_no,
        any_value(started_at) as started_at,
        max(n_nights) - 1 as n_reference_nights,
        count(*) filter (n_nights > 1) as n_problems,
        avg(value order by problem_index) filter (n_nights > 1) as value,
        avg((value_sum - value) / (n_nights - 1) order by problem_index) filter (n_nights > 1)
            as reference_value,
    from seen
    group by stream_no, night_no
),

staked as (
    select
        seen.stream_no,
        seen.night_no,
        seen.problem_index,
        seen.n,
        seen.n_nights,
        bets.bet,
        bets.bet * seen.value as log_stake,
    from seen
    cross join bets
),

rated as (
    select
        *,
        log_stake - ln(
            avg(exp(log_stake)) over (
                partition by stream_no, bet, problem_index, n
                order by night_no
                rows between {{ var('alert_nights') }} preceding and current row
            )
        ) as log_factor,
    from staked
),

factors as (
    select
        stream_no,
        bet,
        night_no,
        sum(log_factor order by problem_index) as log_factor,
    from rated
    where n_nights > 1
    group by stream_no, bet, night_no
    having count(*) >= {{ var('least_clusters') }}
),

multiplied as (
    select
        stream_no,
        bet,
        night_no,
        log_factor,
        row_number() over (
            partition by stream_no, bet
            order by night_no
        ) as test_no,
        sum(log_factor) over (
            partition by stream_no, bet
            order by night_no
        ) as log_product,
    from factors
),

weighted as (
    select
        *,
        {{ horizon }} / ((test_no + {{ horizon }} - 1) * (test_no + {{ horizon }})) as weight,
    from multiplied
),

begun as (
    select
        stream_no,
        bet,
        night_no,
        test_no,
        log_product,
        list({ 'weight': weight, 'log_before': log_product - log_factor }) over (
            partition by stream_no, bet
            order by night_no
            rows between {{ var('alert_nights') }} preceding and current row
        ) as beginnings,
    from weighted
),

-- e^600 is as certain as a number can be
won as (
    select
        begun.stream_no,
        begun.bet,
        begun.night_no,
        begun.test_no,
        list_sum(
            list_transform(
                begun.beginnings,
                lambda one: one.weight * exp(least(begun.log_product - one.log_before, 600))
            )
        ) as wealth,
    from begun
),

-- a part is put on changes that begin later
mixed as (
    select
        stream_no,
        night_no,
        avg(wealth order by bet) + {{ horizon }} / (any_value(test_no) + {{ horizon }}) as e_value,
    from won
    group by stream_no, night_no
),

tested as (
    select
        streams.subject_kind,
        streams.subject_no,
        streams.metric,
        compared.night_no,
        compared.n_reference_nights,
        compared.n_problems,
        compared.value,
        compared.reference_value,
        mixed.e_value,
        if(mixed.e_value is null, null, families.n_streams) as n_streams,
        if(mixed.e_value is null, null, families.n_streams / {{ var('alert_error') }}) as threshold,
        case
            when compared.n_problems = 0 then 'no_reference'
            when mixed.e_value is null then 'problems_lt_min'
        end as null_reason,
    from compared
    inner join streams on compared.stream_no = streams.stream_no
    left join mixed
        on
            compared.stream_no = mixed.stream_no
            and compared.night_no = mixed.night_no
    left join families on compared.started_at = families.started_at
)

select * from tested
