-- Rules over rows that several rooms ask. Each is written here and nowhere else.
create schema facts;

-- The release that a dataset's name stands for: the one that was ingested last.
create view facts.release_newest as
select
    release.dataset,
    release.release_id
from raw.dataset_release as release
inner join raw.run as run on release.run_id = run.run_id
qualify row_number() over (
    partition by release.dataset
    order by run.started_at desc, release.release_id
) = 1;

-- The verdict of a program: its latest attempt that is no harness fault, of a run whose canary
-- passed.
create view facts.program_settled as
select
    outcome.program_id,
    arg_max(outcome.verdict, outcome.attempt) as verdict,
    arg_max(outcome.why_ended, outcome.attempt) as why_ended
from raw.outcome as outcome
inner join raw.program as program on outcome.program_id = program.program_id
inner join raw.canary as canary
    on outcome.run_id = canary.run_id and program.problem_id = canary.problem_id
where outcome.verdict <> 'harness_fault' and canary.verdict = 'passed'
group by outcome.program_id;

-- Programs that have no verdict yet. One that only ever broke the harness is left alone after nine
-- attempts.
create view facts.program_due as
with tried as (
    select
        program_id,
        max(attempt) as last_attempt
    from raw.outcome
    group by program_id
)

select
    program.program_id,
    coalesce(tried.last_attempt, 0) + 1 as next_attempt
from raw.program as program
anti join facts.program_settled as settled on program.program_id = settled.program_id
left join tried on program.program_id = tried.program_id
where coalesce(tried.last_attempt, 0) < 9;

-- Generations that become programs: repairs are lines of another language, reflections no code.
create view facts.generation_executable as
select
    generation.generation_id,
    generation.problem_id,
    problem.dataset,
    setting.task
from raw.generation as generation
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
where
    setting.task in ('synthesis', 'counterfactual')
    and generation.parent_generation_id is null;

-- Problems whose reference no measurement admitted.
create view facts.problem_rejected as
select
    admission.problem_id,
    arg_max(admission.reason, run.started_at) as reason
from raw.admission as admission
inner join raw.run as run on admission.run_id = run.run_id
group by admission.problem_id
having bool_and(admission.mode = 'rejected');
