-- One row per suite run of a release under some conditions.
select
    attempt,
    verdict,
    reason,
from raw.suite_run
where
    project_release_id = $project_release_id
    and suite_conditions_id = $suite_conditions_id
order by attempt
