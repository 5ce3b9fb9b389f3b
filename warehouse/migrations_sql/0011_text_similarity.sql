-- 11: how alike the programs of round trips are to the code that they are written for.
create table raw.text_similarity (
    text_similarity_id varchar not null,
    generation_id varchar not null,
    measure varchar not null,
    component varchar not null,
    value double,
    run_id varchar not null,
    primary key (text_similarity_id)
);
