-- Written by `make dbt` from models/; a test fails when it is stale.
select
    rating_id,
    scorer_id,
    problem_id,
    candidate_first,
    candidate_second,
    vote,
    level,
    null_reason,
    generation_id,
    rater,
    n_characters_first,
    n_characters_second,
    run_id,
from {{ source('raw', 'pair_rating') }}
