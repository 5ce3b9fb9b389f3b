-- 16: how alike two programs are, as a language model or a person rates it.
create table raw.pair_rating (
    rating_id varchar not null,
    scorer_id varchar not null,
    problem_id varchar not null,
    candidate_first varchar not null,
    candidate_second varchar not null,
    vote integer not null,
    level integer,
    null_reason varchar,
    generation_id varchar,
    rater varchar,
    n_characters_first integer not null,
    n_characters_second integer not null,
    run_id varchar not null,
    primary key (rating_id)
);
