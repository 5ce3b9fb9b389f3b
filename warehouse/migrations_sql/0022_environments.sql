-- 22: packages that the problems of a dataset need, and the environment that a verdict was given in.
alter table raw.admission add column environment_id varchar;

create table raw.dataset_environment (
    dataset_environment_id varchar not null,
    release_id varchar not null,
    environment_id varchar not null,
    missing varchar not null,
    run_id varchar not null,
    primary key (dataset_environment_id)
);

-- Packages that problems need: their tags needs:PACKAGE.
create view facts.problem_need as
with tagged as (
    select
        problem_id,
        release_id,
        unnest(from_json(tags, '["VARCHAR"]')) as tag
    from raw.problem
    where contains(tags, '"needs:')
)

select
    problem_id,
    release_id,
    substr(tag, 7) as package
from tagged
where starts_with(tag, 'needs:');

-- The environment of a release whose problems need packages: the one that was locked last.
create view facts.environment_newest as
select
    dataset_environment.release_id,
    dataset_environment.environment_id,
    dataset_environment.missing,
    environment.python,
    environment.lock
from raw.dataset_environment as dataset_environment
inner join raw.project_environment as environment
    on dataset_environment.environment_id = environment.environment_id
inner join raw.run as run on dataset_environment.run_id = run.run_id
qualify row_number() over (
    partition by dataset_environment.release_id
    order by run.started_at desc, dataset_environment.dataset_environment_id desc
) = 1;

-- The admissions under the named rules. Problems of real projects have a judge of another version.
-- Those that need packages count under the newest environment of their release alone.
create or replace macro facts.admissions_under(policy_label, judge, project_judge) as table
with needing as (
    select distinct
        need.problem_id,
        newest.environment_id
    from facts.problem_need as need
    inner join facts.environment_newest as newest on need.release_id = newest.release_id
)

select
    admission.admission_id,
    admission.problem_id,
    admission.mode,
    problem.compare = 'project' as over_projects
from raw.admission as admission
inner join raw.problem as problem on admission.problem_id = problem.problem_id
left join needing on admission.problem_id = needing.problem_id
where
    admission.policy = policy_label
    and admission.judge_version = if(problem.compare = 'project', project_judge, judge)
    and admission.environment_id is not distinct from needing.environment_id;
