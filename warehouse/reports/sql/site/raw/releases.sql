-- One row per release of a dataset.
select
    release_id,
    dataset,
    version,
    source,
    license,
    sha256,
    n_problems,
    run_id
from raw.dataset_release
order by dataset, version, release_id
