with ranges as (
    select
        project_release_id,
        unnest(string_split(lines, ',')) as lines,
    from {{ ref('stg_project_file') }}
    where lines <> ''
),

executable as (
    select
        project_release_id,
        sum(
            split_part(lines, '-', -1)::bigint - split_part(lines, '-', 1)::bigint + 1
        )::bigint as n_lines,
    from ranges
    group by project_release_id
),

ran as (
    select
        project_release_id,
        path,
        line,
        count(test) > 0 as in_test,
    from {{ source('facts', 'line_covered') }}
    group by project_release_id, path, line
),

covered as (
    select
        project_release_id,
        count(*) as n_covered,
        count(*) filter (not in_test) as n_covered_outside_tests,
    from ran
    group by project_release_id
),

tallied as (
    select
        executable.project_release_id,
        executable.n_lines,
        covered.n_covered,
        covered.n_covered_outside_tests,
    from executable
    left join covered on executable.project_release_id = covered.project_release_id
)

select * from tallied
