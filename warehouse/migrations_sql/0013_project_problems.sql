-- 13: problems that are holes in files of real projects.
CREATE TABLE raw.project_problem (
    problem_id VARCHAR NOT NULL,
    project_release_id VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (problem_id)
);

CREATE TABLE raw.region_check (
    region_check_id VARCHAR NOT NULL,
    project_release_id VARCHAR NOT NULL,
    tests_key VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    filling VARCHAR NOT NULL,
    repetition INTEGER NOT NULL,
    verdict VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (region_check_id)
);
