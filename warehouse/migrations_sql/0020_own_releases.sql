-- 20: what a file of the user's says of a dataset beyond its problems.
create table raw.own_release (
    release_id varchar not null,
    cpu_s double not null,
    test_cpu_s double,
    memory_mb integer,
    requirements varchar not null,
    trusted boolean not null,
    run_id varchar not null,
    primary key (release_id)
);
