-- One row per measurement of a reference under the policy; those that admit come last.
select
    problem_id,
    admission_id,
    mode
from raw.admission
where policy = $policy and judge_version = $judge_version
order by mode <> 'rejected'
