with releases as (
    select
        project,
        version,
        project_release_id,
    from {{ ref('stg_project_release') }}
),

functions as (
    select *
    from {{ ref('stg_project_function') }}
),

files as (
    select
        project_release_id,
        path,
    from {{ ref('stg_project_file') }}
),

tallied as (
    select *
    from {{ ref('int_project_function_tallied') }}
),

measured as (
    select project_release_id
    from {{ ref('int_project_lines_tallied') }}
    where n_covered is not null
),

-- what is unknown is NULL; a body without an executable line has none
counted as (
    select
        functions.project_function_id,
        files.path is not null and measured.project_release_id is not null as is_measured,
        not functions.body_is_apart and functions.body_first_line is not null as shares_a_line,
        case
            when files.path is not null and not shares_a_line then coalesce(tallied.n_lines, 0)
        end as n_lines,
        case
            when is_measured and not shares_a_line then coalesce(tallied.n_lines_tested, 0)
        end as n_lines_tested,
        case
            when is_measured and not shares_a_line then coalesce(tallied.n_tests, 0)
        end as n_tests,
    from functions
    left join files
        on
            functions.project_release_id = files.project_release_id
            and functions.path = files.path
    left join measured on functions.project_release_id = measured.project_release_id
    left join tallied on functions.project_function_id = tallied.project_function_id
),

published as (
    select
        releases.project,
        releases.version,
        releases.project_release_id,
        functions.path,
        functions.qualname,
        functions.first_line,
        functions.last_line,
        functions.def_line,
        functions.body_first_line,
        functions.is_nested,
        functions.is_async,
        functions.docstring_first_line is not null as has_docstring,
        functions.docstring_first_line,
        functions.docstring_last_line,
        counted.n_lines,
        counted.n_lines_tested,
        counted.n_lines_tested / nullif(counted.n_lines, 0) as tested_share,
        counted.n_tests,
        case
            when counted.shares_a_line then 'shared_line'
            when not counted.is_measured then 'not_measured'
        end as tests_null_reason,
        'project_functions_v1' as view_version,
    from functions
    inner join releases on functions.project_release_id = releases.project_release_id
    inner join counted on functions.project_function_id = counted.project_function_id
)

select * from published
