-- One row per named problem that has no admission under the policy.
with admitted as (
    select problem_id
    from raw.admission
    where
        policy = $policy
        and judge_version = $judge_version
        and (mode <> 'rejected' or not $retry_rejected)
)

select problem.problem_id
from raw.problem as problem
anti join admitted on problem.problem_id = admitted.problem_id
where problem.problem_id in (select unnest(cast($problem_ids as varchar[])))
