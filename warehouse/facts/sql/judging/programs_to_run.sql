-- One row per program without a verdict, problem by problem. With a factor: one row per program
-- that timed out, and that no trial with so large a factor settled. Programs of real projects are
-- not there.
with long_trial as (
    select program_id
    from raw.limit_trial
    where factor >= $factor or why_ended not in ('cpu', 'wall')
),

cut_off as (
    select settled.program_id
    from facts.program_settled as settled
    inner join raw.program as program on settled.program_id = program.program_id
    inner join facts.admissions_under($policy, $judge_version, $project_judge_version) as admitted
        on program.admission_id = admitted.admission_id
    anti join long_trial on settled.program_id = long_trial.program_id
    where
        settled.verdict = 'timeout'
        and settled.why_ended in ('cpu', 'wall')
        and not admitted.over_projects
),

chosen as (
    select
        program_id,
        next_attempt
    from facts.programs_due($policy, $judge_version, $project_judge_version)
    where $factor is null and not over_projects
    union all
    select
        program_id,
        1 as next_attempt
    from cut_off
    where $factor is not null
)

select
    program.program_id,
    program.problem_id,
    program.admission_id,
    candidate.source,
    admission.mode,
    admission.cpu_limit_s,
    admission.wall_limit_s,
    admission.test_cpu_limit_s,
    admission.memory_limit_mb,
    chosen.next_attempt
from raw.program as program
inner join chosen on program.program_id = chosen.program_id
inner join raw.admission as admission on program.admission_id = admission.admission_id
inner join raw.candidate as candidate on program.candidate_id = candidate.candidate_id
inner join raw.problem as problem on program.problem_id = problem.problem_id
where $dataset is null or problem.dataset = $dataset
order by problem.dataset, problem.position, program.program_id
limit $most
