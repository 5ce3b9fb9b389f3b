-- 12: executable lines of project sources, and the lines that each test of a suite ran.
CREATE TABLE raw.project_file (
    project_file_id VARCHAR NOT NULL,
    project_release_id VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    lines VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (project_file_id)
);

CREATE TABLE raw.test_coverage (
    test_coverage_id VARCHAR NOT NULL,
    suite_run_id VARCHAR NOT NULL,
    test_index INTEGER,
    path VARCHAR NOT NULL,
    lines VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    PRIMARY KEY (test_coverage_id)
);

-- The lines that ran in a suite run that counts, one row per line, and usable test that ran it or
-- NULL: outside every test. Several attempts with marks have a row together.
create view facts.line_covered as
with ranges as (
    select
        counted.project_release_id,
        coverage.suite_run_id,
        coverage.test_index,
        coverage.path,
        unnest(string_split(coverage.lines, ',')) as lines,
    from raw.test_coverage as coverage
    inner join facts.suite_run_counted as counted on coverage.suite_run_id = counted.suite_run_id
),

usable as (
    select
        suite_test.suite_run_id,
        suite_test.test_index as index_in_run,
        compared.test,
        compared.test_index,
    from raw.suite_test as suite_test
    inner join facts.suite_run_counted as counted on suite_test.suite_run_id = counted.suite_run_id
    inner join facts.suite_test_compared as compared
        on
            counted.project_release_id = compared.project_release_id
            and suite_test.test = compared.test
    where compared.is_usable
),

named as (
    select
        ranges.project_release_id,
        ranges.path,
        usable.test,
        usable.test_index,
        split_part(ranges.lines, '-', 1)::integer as first_line,
        split_part(ranges.lines, '-', -1)::integer as last_line,
    from ranges
    left join usable
        on
            ranges.suite_run_id = usable.suite_run_id
            and ranges.test_index = usable.index_in_run
    where ranges.test_index is null or usable.test is not null
)

select distinct
    project_release_id,
    path,
    unnest(range(first_line, last_line + 1))::integer as line,
    test,
    test_index,
from named;
