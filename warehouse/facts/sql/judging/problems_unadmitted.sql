-- One row per named problem whose reference is to be measured under the rules: it has no admission,
-- or is rejected and tried again.
with measured as (
    select problem_id
    from facts.admissions_under($policy, $judge_version, $project_judge_version)
    where mode <> 'rejected' or not $retry_rejected
)

select problem.problem_id
from raw.problem as problem
anti join measured on problem.problem_id = measured.problem_id
where problem.problem_id in (select unnest(cast($problem_ids as varchar[])))
