"""Which release a dataset's name stands for: one definition for every room."""

# The CTE ``newest``: the release of a dataset, its one parameter, that was ingested last.
NEWEST = """newest as (
    select release.release_id
    from raw.dataset_release as release
    inner join raw.run as run using (run_id)
    where release.dataset = ?
    order by run.started_at desc, release.release_id
    limit 1
)"""
