with ratings as (
    select *
    from {{ ref('stg_pair_rating') }}
),

scorers as (
    select *
    from {{ ref('stg_scorer') }}
),

judges as (
    {% for measure in judge_measures() %}
    {{ 'union all' if not loop.first }}
    select
        '{{ measure.name }}' as measure,
        {{ measure.orders }} as n_orders,
        {{ measure.votes }} as n_votes,
    {% endfor %}
),

-- the votes of one order: the median of those that can be read
orders as (
    select
        scorer_id,
        candidate_first,
        candidate_second,
        count(*) as n_replies,
        median(level) as level,
    from ratings
    where rater is null
    group by all
),

pairs_ordered as (
    select
        orders.scorer_id,
        least(orders.candidate_first, orders.candidate_second) as candidate_a,
        greatest(orders.candidate_first, orders.candidate_second) as candidate_b,
        orders.n_replies,
        orders.level,
        judges.n_votes * if(orders.candidate_first = orders.candidate_second, 1, judges.n_orders)
            as n_wanted,
    from orders
    inner join scorers on orders.scorer_id = scorers.scorer_id
    inner join judges on scorers.measure = judges.measure
),

-- a pair counts when every reply is there; then both orders have the same weight
pairs_judged as (
    select
        scorer_id,
        candidate_a,
        candidate_b,
        if(count(level) = count(*), avg(level), null) as level,
    from pairs_ordered
    group by scorer_id, candidate_a, candidate_b
    having sum(n_replies) = max(n_wanted)
),

-- each person counts once, in whatever order the programs were shown
people as (
    select
        scorer_id,
        least(candidate_first, candidate_second) as candidate_a,
        greatest(candidate_first, candidate_second) as candidate_b,
        avg(level) as level,
    from ratings
    where rater is not null
    group by scorer_id, candidate_a, candidate_b, rater
),

pairs_rated_by_people as (
    select
        scorer_id,
        candidate_a,
        candidate_b,
        avg(level) as level,
    from people
    group by scorer_id, candidate_a, candidate_b
),

pairs as (
    select * from pairs_judged
    union all
    select * from pairs_rated_by_people
),

rated as (
    select
        scorer_id,
        candidate_a,
        candidate_b,
        {{ level_as_share('level') }} as value,
        if(level is null, 'no_rating', null) as null_reason,
    from pairs
)

select * from rated
