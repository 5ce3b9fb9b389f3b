with source_rows as (
    select
        admission_id,
        problem_id,
        policy,
        mode,
        reason,
        cast(reference_cpu_s as double) as reference_cpu_s,
        cast(cpu_limit_s as double) as cpu_limit_s,
        cast(wall_limit_s as double) as wall_limit_s,
        cast(memory_limit_mb as integer) as memory_limit_mb,
        outputs,
        judge_version,
        run_id,
        cast(test_cpu_limit_s as double) as test_cpu_limit_s,
        cast(reference_test_cpu_s as double) as reference_test_cpu_s,
    from {{ source('raw', 'admission') }}
)

select * from source_rows
