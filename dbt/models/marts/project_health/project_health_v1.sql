{% set reasons = quarantine_reasons() %}

with releases as (
    select *
    from {{ ref('stg_project_release') }}
),

runs as (
    select *
    from {{ ref('int_suite_run_counted') }}
),

tests as (
    select *
    from {{ ref('int_suite_test_compared') }}
),

lines as (
    select *
    from {{ ref('int_project_lines_tallied') }}
),

-- of several attempts, the first that did not pass counts
suites as (
    select
        project_release_id,
        environment_id,
        suite_conditions_id,
        count(*) as n_attempts,
        count(*) filter (verdict = 'passed') as n_attempts_passed,
        coalesce(arg_min(verdict, attempt) filter (verdict <> 'passed'), 'passed') as suite_verdict,
        arg_min(reason, attempt) filter (verdict <> 'passed') as suite_reason,
        {{ words_of('isolation') }} as isolation_levels,
        avg(cpu_s) as cpu_s,
        avg(wall_s) as wall_s,
        max(max_rss_kb) as max_rss_kb,
    from runs
    group by all
),

tallied as (
    select
        project_release_id,
        count(*) as n_tests,
        count(*) filter (is_usable) as n_usable,
        count(*) filter (not is_usable) as n_quarantined,
        {% for reason in reasons %}
        count(*) filter (quarantine_reason = '{{ reason }}') as n_{{ reason }},
        {% endfor %}
    from tests
    group by project_release_id
),

published as (
    select
        releases.project,
        releases.version,
        releases.project_release_id,
        releases.license,
        releases.is_curated,
        suites.environment_id,
        suites.suite_conditions_id,
        suites.isolation_levels,
        suites.suite_verdict,
        suites.suite_reason,
        suites.n_attempts,
        suites.n_attempts_passed,
        coalesce(tallied.n_tests, 0) as n_tests,
        coalesce(tallied.n_usable, 0) as n_usable,
        coalesce(tallied.n_quarantined, 0) as n_quarantined,
        {% for reason in reasons %}
        coalesce(tallied.n_{{ reason }}, 0) as n_{{ reason }},
        {% endfor %}
        lines.n_lines,
        lines.n_covered,
        lines.n_covered_outside_tests,
        lines.n_covered / lines.n_lines as coverage,
        suites.cpu_s,
        suites.wall_s,
        suites.max_rss_kb,
        'project_health_v1' as view_version,
    from releases
    inner join suites on releases.project_release_id = suites.project_release_id
    left join tallied on releases.project_release_id = tallied.project_release_id
    left join lines on releases.project_release_id = lines.project_release_id
)

select * from published
