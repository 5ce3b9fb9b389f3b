-- One row: the newest release of a dataset, or none.
select
    release.dataset,
    release.version,
    release.source,
    release.license,
    release.sha256
from raw.dataset_release as release
inner join facts.release_newest as newest on release.release_id = newest.release_id
where release.dataset = $dataset
