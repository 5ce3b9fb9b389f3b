-- 21: results made elsewhere: who claims them, in which file, and what is claimed.
create table raw.claim_source (
    claim_source_id varchar not null,
    format varchar not null,
    claimant varchar not null,
    claimant_version varchar not null,
    lm_id varchar not null,
    lm varchar not null,
    revision varchar not null,
    dataset varchar not null,
    label varchar not null,
    run_id varchar not null,
    primary key (claim_source_id)
);

create table raw.claim_file (
    claim_file_id varchar not null,
    claim_source_id varchar not null,
    name varchar not null,
    sha256 varchar not null,
    about varchar not null,
    run_id varchar not null,
    primary key (claim_file_id)
);

create table raw.claim (
    claim_id varchar not null,
    claim_source_id varchar not null,
    claim_file_id varchar not null,
    position integer not null,
    place varchar not null,
    task_id varchar,
    sample_index integer,
    metric varchar not null,
    passed boolean,
    confidence double,
    score double,
    status varchar,
    text_key varchar,
    run_id varchar not null,
    primary key (claim_id)
);

create table raw.claim_record (
    claim_id varchar not null,
    record varchar not null,
    run_id varchar not null,
    primary key (claim_id)
);
