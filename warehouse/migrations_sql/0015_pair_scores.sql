-- 15: scores of pairs of programs by any measure, and their scorers.
create table raw.scorer (
    scorer_id varchar not null,
    measure varchar not null,
    name varchar not null,
    release_id varchar,
    identity varchar not null,
    detail varchar not null,
    run_id varchar not null,
    primary key (scorer_id)
);

create table raw.candidate_feature (
    feature_id varchar not null,
    scorer_id varchar not null,
    candidate_id varchar not null,
    vector double[],
    digest varchar,
    null_reason varchar,
    run_id varchar not null,
    primary key (feature_id)
);

create table raw.pair_score (
    pair_score_id varchar not null,
    scorer_id varchar not null,
    candidate_a varchar not null,
    candidate_b varchar not null,
    value double,
    null_reason varchar,
    run_id varchar not null,
    primary key (pair_score_id)
);
