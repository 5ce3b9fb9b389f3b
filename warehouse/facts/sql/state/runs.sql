-- One row per run, the last ten: when it began, how long it took and how it ended.
select
    run.kind,
    strftime(run.started_at, '%Y-%m-%d %H:%M:%S') as started_utc,
    round(epoch(run_finish.finished_at) - epoch(run.started_at), 1) as seconds,
    coalesce(run_finish.status, 'unfinished') as status,
    left(run.git_commit, 10) as commit
from raw.run as run
left join raw.run_finish as run_finish on run.run_id = run_finish.run_id
order by run.started_at desc
limit 10
