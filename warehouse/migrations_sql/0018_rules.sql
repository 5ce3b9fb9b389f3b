-- 18: rules that Python and dbt both ask, and what is due under the rules that verdicts are given
-- under: a policy of limits and the version of the judge. Macros are views with parameters.

-- Releases in the order in which they were ingested; of one moment, the smallest id is the newest.
create view facts.release_ordered as
select
    release.release_id,
    release.dataset,
    row_number() over (order by run.started_at, release.release_id desc) as release_no
from raw.dataset_release as release
inner join raw.run as run on release.run_id = run.run_id;

-- The release that a dataset's name stands for: the one that was ingested last.
create or replace view facts.release_newest as
select
    dataset,
    release_id
from facts.release_ordered
qualify release_no = max(release_no) over (partition by dataset);

-- Admissions, the one to prefer first: under the calibrated policy, then the newest.
create view facts.admission_ordered as
select
    admission.admission_id,
    admission.problem_id,
    admission.mode,
    admission.reason,
    row_number() over (
        order by
            admission.policy = 'calibrated' desc,
            run.started_at desc,
            admission.admission_id desc
    ) as admission_no
from raw.admission as admission
inner join raw.run as run on admission.run_id = run.run_id;

-- Problems whose reference fails: so says the admission to prefer.
create or replace view facts.problem_rejected as
select
    problem_id,
    arg_min(reason, admission_no) as reason
from facts.admission_ordered
group by problem_id
having arg_min(mode, admission_no) = 'rejected';

-- Searches for a mutation in a problem: those by the newest rules.
create view facts.mutation_scan_newest as
select
    scan_id,
    problem_id,
    mutation,
    mutation_version,
    rules,
    in_paper,
    n_sites,
    n_declined,
    unreadable_code
from raw.mutation_scan
qualify rules = max(rules) over (partition by problem_id, mutation, mutation_version);

-- The admissions under the named rules. Problems of real projects have a judge of another version.
create macro facts.admissions_under(policy_label, judge, project_judge) as table
select
    admission.admission_id,
    admission.problem_id,
    admission.mode,
    problem.compare = 'project' as over_projects
from raw.admission as admission
inner join raw.problem as problem on admission.problem_id = problem.problem_id
where
    admission.policy = policy_label
    and admission.judge_version = if(problem.compare = 'project', project_judge, judge);

-- Generations that are no program yet, under each admission of the problem that judges them; the
-- admission is NULL where the reference is still to be measured.
create macro facts.generations_unplanned(policy_label, judge, project_judge) as table
with admitted as (
    select * from facts.admissions_under(policy_label, judge, project_judge)
),

planned as (
    select distinct
        evaluation.generation_id,
        program.admission_id
    from raw.evaluation as evaluation
    inner join raw.program as program on evaluation.program_id = program.program_id
    semi join admitted on program.admission_id = admitted.admission_id
)

select
    target.generation_id,
    target.problem_id,
    target.dataset,
    target.judged_as,
    target.task,
    admitted.admission_id,
    problem.compare = 'project' as over_projects
from facts.generation_target as target
inner join raw.problem as problem on target.problem_id = problem.problem_id
left join admitted on target.problem_id = admitted.problem_id
left join planned
    on
        target.generation_id = planned.generation_id
        and admitted.admission_id = planned.admission_id
where
    problem.compare <> 'text'
    and planned.generation_id is null
    and coalesce(admitted.mode <> 'rejected', true);

-- Programs that need a verdict under the named rules.
create macro facts.programs_due(policy_label, judge, project_judge) as table
select
    due.program_id,
    due.next_attempt,
    admitted.over_projects
from facts.program_due as due
inner join raw.program as program on due.program_id = program.program_id
inner join facts.admissions_under(policy_label, judge, project_judge) as admitted
    on program.admission_id = admitted.admission_id;

-- Two intermediate tables have other names now; a build leaves tables of other names alone.
drop table if exists intermediate.int_calibration_fit_told;
drop table if exists intermediate.int_description_told;
