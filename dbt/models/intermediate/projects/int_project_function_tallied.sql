with functions as (
    select
        project_function_id,
        project_release_id,
        path,
        body_first_line,
        last_line,
    from {{ ref('stg_project_function') }}
    where body_is_apart
),

ranges as (
    select
        project_release_id,
        path,
        unnest(string_split(lines, ',')) as lines,
    from {{ ref('stg_project_file') }}
    where lines <> ''
),

bounds as (
    select
        project_release_id,
        path,
        split_part(lines, '-', 1)::integer as first_line,
        split_part(lines, '-', -1)::integer as last_line,
    from ranges
),

executable as (
    select
        project_release_id,
        path,
        unnest(range(first_line, last_line + 1))::integer as line,
    from bounds
),

-- a line inside a nested function is a line of each function around it
bodies as (
    select
        functions.project_function_id,
        executable.project_release_id,
        executable.path,
        executable.line,
    from functions
    inner join executable
        on
            functions.project_release_id = executable.project_release_id
            and functions.path = executable.path
            and executable.line between functions.body_first_line and functions.last_line
),

tests_of_line as (
    select
        project_release_id,
        path,
        line,
        test,
    from {{ source('facts', 'line_covered') }}
    where test is not null
),

tallied as (
    select
        bodies.project_function_id,
        count(distinct bodies.line) as n_lines,
        count(distinct bodies.line) filter (tests_of_line.test is not null) as n_lines_tested,
        count(distinct tests_of_line.test) as n_tests,
    from bodies
    left join tests_of_line
        on
            bodies.project_release_id = tests_of_line.project_release_id
            and bodies.path = tests_of_line.path
            and bodies.line = tests_of_line.line
    group by bodies.project_function_id
)

select * from tallied
