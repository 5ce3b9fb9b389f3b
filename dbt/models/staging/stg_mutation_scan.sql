with source_rows as (
    select
        scan_id,
        problem_id,
        mutation,
        mutation_version,
        in_paper,
        n_sites,
        n_declined,
        unreadable_code,
        run_id,
        rules,
    from {{ source('raw', 'mutation_scan') }}
)

select * from source_rows
