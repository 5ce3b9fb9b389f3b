-- One row per attempt at a release's suite that counts.
select
    attempt,
    verdict,
from facts.suite_run_counted
where project_release_id = $project_release_id
order by attempt
