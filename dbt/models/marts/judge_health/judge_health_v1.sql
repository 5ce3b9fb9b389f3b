with ratings as (
    select *
    from {{ ref('stg_pair_rating') }}
    where rater is null
),

scorers as (
    select *
    from {{ ref('stg_scorer') }}
),

generations as (
    select *
    from {{ ref('stg_generation') }}
),

language_models as (
    select *
    from {{ ref('stg_language_model') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

pairs_rated as (
    select *
    from {{ ref('int_pair_rated') }}
),

replies as (
    select
        ratings.scorer_id,
        generations.lm_id,
        generations.setting_id,
        ratings.problem_id,
        ratings.candidate_first,
        ratings.candidate_second,
        least(ratings.candidate_first, ratings.candidate_second) as candidate_a,
        greatest(ratings.candidate_first, ratings.candidate_second) as candidate_b,
        ratings.vote,
        ratings.level,
        ratings.null_reason,
        sign(ratings.n_characters_first - ratings.n_characters_second) as longer,
    from ratings
    inner join generations on ratings.generation_id = generations.generation_id
),

tallied as (
    select
        scorer_id,
        min(lm_id) as lm_id,
        min(setting_id) as setting_id,
        count(distinct candidate_a || candidate_b) as n_pairs,
        count(distinct problem_id) as n_problems,
        count(*) as n_replies,
        count(level) as n_levels,
        {% for reason in rating_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_{{ reason }},
        {% endfor %}
        avg(level) filter (candidate_a = candidate_b) as level_of_identical,
        count(level) filter (candidate_a = candidate_b) as n_levels_of_identical,
    from replies
    group by scorer_id
),

values_tallied as (
    select
        scorer_id,
        count(value) as n_pairs_rated,
        count(*) filter (null_reason = 'no_rating') as n_pairs_no_rating,
    from pairs_rated
    group by scorer_id
),

-- how far the votes of one order are apart
votes_compared as (
    select
        one.scorer_id,
        avg(abs(one.level - other.level)) as vote_difference,
        count(*) as n_vote_pairs,
    from replies as one
    inner join replies as other
        on
            one.scorer_id = other.scorer_id
            and one.candidate_first = other.candidate_first
            and one.candidate_second = other.candidate_second
            and one.vote < other.vote
    where one.level is not null and other.level is not null
    group by one.scorer_id
),

orders as (
    select
        scorer_id,
        candidate_a,
        candidate_b,
        candidate_first,
        min(problem_id) as problem_id,
        any_value(longer) as longer,
        median(level) as middle,
        cast(sum(level) as double) / count(level) as level,
    from replies
    where level is not null and candidate_a < candidate_b
    group by scorer_id, candidate_a, candidate_b, candidate_first
),

-- a pair has a bias when both orders have a level and one program is longer
both_orders as (
    select
        one.scorer_id,
        one.problem_id,
        abs(one.middle - other.middle) as order_difference,
        if(one.longer = 0, null, one.longer * (one.level - other.level)) as bias,
    from orders as one
    inner join orders as other
        on
            one.scorer_id = other.scorer_id
            and one.candidate_a = other.candidate_a
            and one.candidate_b = other.candidate_b
            and one.candidate_first < other.candidate_first
),

orders_compared as (
    select
        scorer_id,
        avg(order_difference) as order_difference,
        avg(if(order_difference > 0, 1.0, 0.0)) as share_differing,
        count(*) as n_pairs_both_orders,
        sum(bias order by bias) / count(bias) as order_bias,
        count(bias) as n_pairs_bias,
        count(distinct problem_id) filter (bias is not null) as n_problems_bias,
    from both_orders
    group by scorer_id
),

problem_parts as (
    select
        scorer_id,
        problem_id,
        sum(bias order by bias) as bias_top,
        cast(count(bias) as double) as bias_bottom,
    from both_orders
    where bias is not null
    group by scorer_id, problem_id
),

{{ ratio_interval('problem_parts', ['scorer_id'], {'bias': 'difference'}, 'problem_id') }},

published as (
    select
        tallied.scorer_id,
        scorers.measure,
        tallied.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        tallied.setting_id,
        settings.setting,
        tallied.n_pairs,
        tallied.n_problems,
        coalesce(values_tallied.n_pairs_rated, 0) as n_pairs_rated,
        coalesce(values_tallied.n_pairs_no_rating, 0) as n_pairs_no_rating,
        tallied.n_replies,
        tallied.n_levels,
        {% for reason in rating_null_reasons() %}
        tallied.n_{{ reason }},
        {% endfor %}
        tallied.level_of_identical,
        tallied.n_levels_of_identical,
        orders_compared.order_bias,
        interval_found.bias_lo as order_bias_lo,
        interval_found.bias_hi as order_bias_hi,
        case
            when orders_compared.scorer_id is null then 'one_order'
            when orders_compared.n_pairs_bias = 0 then 'equal_lengths'
        end as order_bias_null_reason,
        coalesce(orders_compared.n_pairs_bias, 0) as n_pairs_bias,
        coalesce(orders_compared.n_problems_bias, 0) as n_problems_bias,
        coalesce(orders_compared.n_problems_bias, 0) < {{ var('few_clusters') }} as few_clusters,
        if(interval_found.bias_lo is null, null, 'student_t') as interval_method,
        interval_found.bias_interval_null_reason as interval_null_reason,
        orders_compared.order_difference,
        orders_compared.share_differing,
        coalesce(orders_compared.n_pairs_both_orders, 0) as n_pairs_both_orders,
        votes_compared.vote_difference,
        coalesce(votes_compared.n_vote_pairs, 0) as n_vote_pairs,
        'judge_health_v1' as view_version,
    from tallied
    inner join scorers on tallied.scorer_id = scorers.scorer_id
    inner join language_models on tallied.lm_id = language_models.lm_id
    inner join settings on tallied.setting_id = settings.setting_id
    left join values_tallied on tallied.scorer_id = values_tallied.scorer_id
    left join votes_compared on tallied.scorer_id = votes_compared.scorer_id
    left join orders_compared on tallied.scorer_id = orders_compared.scorer_id
    left join interval_found on tallied.scorer_id = interval_found.scorer_id
)

select * from published
