with source_rows as (
    select
        program_id,
        cast(factor as double) as factor,
        verdict,
        cast(n_tests as integer) as n_tests,
        cast(n_passed as integer) as n_passed,
        cast(cpu_s as double) as cpu_s,
        cast(test_cpu_s as double) as test_cpu_s,
        cast(wall_s as double) as wall_s,
        why_ended,
        run_id,
    from {{ source('raw', 'limit_trial') }}
)

select * from source_rows
