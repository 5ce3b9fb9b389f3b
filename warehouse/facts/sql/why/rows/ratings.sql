-- One row per rating of a pair: a reply of a language model, or a level that a person gave.
select
    'ratings' as role,
    if(ratings.generation_id is null, 'rating', 'generation') as kind,
    coalesce(ratings.generation_id, ratings.rating_id) as id,
    ratings.problem_id,
    cast(null as varchar) as candidate_id,
    'level ' || ratings.level as verdict,
    ratings.null_reason,
    ratings.run_id
from raw.pair_rating as ratings
inner join raw.problem as problems on ratings.problem_id = problems.problem_id
where
    ratings.scorer_id = $scorer_id
    or (ratings.rater is not null and problems.release_id = $release_id)
