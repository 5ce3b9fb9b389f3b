with source_rows as (
    select
        program_id,
        cast(attempt as integer) as attempt,
        verdict,
        cast(n_tests as integer) as n_tests,
        cast(n_passed as integer) as n_passed,
        cast(cpu_s as double) as cpu_s,
        cast(wall_s as double) as wall_s,
        cast(max_rss_kb as integer) as max_rss_kb,
        why_ended,
        message,
        isolation,
        integrity,
        run_id,
        cast(test_cpu_s as double) as test_cpu_s,
        alone,
    from {{ source('raw', 'outcome') }}
)

select * from source_rows
