-- One row per claim of a source on a task, under one metric of the claimant.
select
    'claims' as role,
    'claim' as kind,
    claim_id as id,
    cast(null as varchar) as problem_id,
    cast(null as varchar) as candidate_id,
    case
        when passed then 'claimed to pass'
        when not passed then 'claimed to fail'
    end as verdict,
    if(passed is null, 'no_verdict_claimed', null) as null_reason,
    run_id
from raw.claim
where
    claim_source_id = $claim_source_id
    and metric = $metric
    and task_id is not null
