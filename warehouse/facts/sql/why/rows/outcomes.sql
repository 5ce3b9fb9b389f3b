-- One row per attempt at a program, or canary, of one execution run.
select
    'attempts' as role,
    'attempt' as kind,
    outcomes.program_id || ':' || outcomes.attempt as id,
    programs.problem_id,
    programs.candidate_id,
    outcomes.verdict,
    cast(null as varchar) as null_reason,
    outcomes.run_id
from raw.outcome as outcomes
inner join raw.program as programs on outcomes.program_id = programs.program_id
where outcomes.run_id = $run_id
union all
select
    'canaries' as role,
    'canary' as kind,
    canary_id as id,
    problem_id,
    cast(null as varchar) as candidate_id,
    verdict,
    cast(null as varchar) as null_reason,
    run_id
from raw.canary
where run_id = $run_id
