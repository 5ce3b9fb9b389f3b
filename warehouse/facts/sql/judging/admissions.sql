-- One row per measurement of a reference under the rules; those that admit come last.
select
    problem_id,
    admission_id,
    mode
from facts.admissions_under($policy, $judge_version, $project_judge_version)
order by mode <> 'rejected'
