-- One row per run, the newest first.
select
    runs.run_id,
    runs.kind,
    strftime(runs.started_at, '%Y-%m-%d %H:%M:%S') as started_utc,
    finishes.status,
    runs.code_version,
    runs.git_commit,
    runs.git_dirty,
    runs.settings,
    runs.inputs,
    finishes.summary
from raw.run as runs
left join raw.run_finish as finishes on runs.run_id = finishes.run_id
order by runs.started_at desc, runs.run_id asc
