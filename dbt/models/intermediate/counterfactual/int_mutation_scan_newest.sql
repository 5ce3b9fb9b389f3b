with scans as (
    select
        scan_id,
        problem_id,
        mutation,
        mutation_version,
        rules,
        in_paper,
        n_sites,
        n_declined,
        unreadable_code,
    from {{ ref('stg_mutation_scan') }}
),

newest as (
    select *
    from scans
    qualify rules = max(rules) over (partition by problem_id, mutation, mutation_version)
)

select * from newest
