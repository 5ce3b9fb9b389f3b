{#- Fewer common pairs than this say nothing of a correlation. -#}
{% set least_n = 10 %}

with ratings as (
    select *
    from {{ ref('stg_pair_rating') }}
    where rater is not null
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

-- a person who rated a pair in both orders has one level, the mean
levels as (
    select
        problems.release_id,
        least(ratings.candidate_first, ratings.candidate_second) as candidate_a,
        greatest(ratings.candidate_first, ratings.candidate_second) as candidate_b,
        ratings.rater,
        avg(ratings.level) as level,
        count(*) as n_ratings,
    from ratings
    inner join problems on ratings.problem_id = problems.problem_id
    group by all
),

tallied as (
    select
        release_id,
        count(distinct rater) as n_raters,
        cast(sum(n_ratings) as bigint) as n_ratings,
        count(distinct candidate_a || candidate_b) as n_pairs,
    from levels
    group by release_id
),

raters_compared as (
    select
        one.release_id,
        one.rater as rater_a,
        other.rater as rater_b,
        if(count(*) < {{ least_n }}, null, {{ pearson('one.level', 'other.level') }}) as pearson,
    from levels as one
    inner join levels as other
        on
            one.release_id = other.release_id
            and one.candidate_a = other.candidate_a
            and one.candidate_b = other.candidate_b
            and one.rater < other.rater
    group by one.release_id, one.rater, other.rater
),

raters_correlated as (
    select
        release_id,
        avg(pearson order by rater_a, rater_b) as mean_pearson,
        min(pearson) as least_pearson,
        count(*) as n_rater_pairs,
        count(pearson) as n_rater_pairs_correlated,
    from raters_compared
    group by release_id
),

-- pairs of programs with a level of at least two people, each with its squared differences
pairs_compared as (
    select
        release_id,
        count(*) as n_levels,
        sum(level) as total,
        sum(level * level) as squares,
        2 * (count(*) * sum(level * level) - sum(level) * sum(level)) / (count(*) - 1) as observed,
    from levels
    group by release_id, candidate_a, candidate_b
    having count(*) > 1
),

-- Krippendorff's alpha with squared differences (interval data): 1 - observed / expected
-- disagreement, where every two levels of all pairs are as likely to meet (Krippendorff 2011)
disagreements as (
    select
        release_id,
        count(*) as n_pairs_shared,
        sum(observed order by observed) / sum(n_levels) as observed,
        2 * (sum(n_levels) * sum(squares) - sum(total) * sum(total))
        / (sum(n_levels) * (sum(n_levels) - 1)) as expected,
    from pairs_compared
    group by release_id
),

releases as (
    select distinct
        release_id,
        dataset,
        dataset_version,
    from problems
),

published as (
    select
        releases.dataset,
        releases.dataset_version,
        tallied.release_id,
        tallied.n_raters,
        tallied.n_ratings,
        tallied.n_pairs,
        coalesce(disagreements.n_pairs_shared, 0) as n_pairs_shared,
        raters_correlated.mean_pearson,
        raters_correlated.least_pearson,
        coalesce(raters_correlated.n_rater_pairs, 0) as n_rater_pairs,
        coalesce(raters_correlated.n_rater_pairs_correlated, 0) as n_rater_pairs_correlated,
        if(
            disagreements.expected > 0,
            1 - disagreements.observed / disagreements.expected,
            null
        ) as alpha,
        case
            when disagreements.release_id is null then 'no_pairs'
            when disagreements.expected <= 0 then 'zero_variance'
        end as alpha_null_reason,
        'rater_agreement_v1' as view_version,
    from tallied
    inner join releases on tallied.release_id = releases.release_id
    left join raters_correlated on tallied.release_id = raters_correlated.release_id
    left join disagreements on tallied.release_id = disagreements.release_id
)

select * from published
