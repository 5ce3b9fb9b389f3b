with source_rows as (
    select
        site_id,
        scan_id,
        problem_id,
        site_index,
        line,
        operators,
        decline_code,
        decline_reason,
        run_id,
    from {{ source('raw', 'mutation_site') }}
)

select * from source_rows
