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
from {{ source('facts', 'mutation_scan_newest') }}
