-- 17: the functions of real projects, each with the lines of its parts.
create table raw.project_function (
    project_function_id varchar not null,
    project_release_id varchar not null,
    path varchar not null,
    qualname varchar not null,
    first_line integer not null,
    def_line integer not null,
    colon_line integer not null,
    docstring_first_line integer,
    docstring_last_line integer,
    body_first_line integer,
    last_line integer not null,
    body_is_apart boolean not null,
    is_nested boolean not null,
    is_async boolean not null,
    run_id varchar not null,
    primary key (project_function_id)
);
