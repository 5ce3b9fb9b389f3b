-- Generations that become programs, of every task but two: a repair is a line of another language,
-- and a reflection is no code.
create or replace view facts.generation_executable as
select
    generation.generation_id,
    generation.problem_id,
    problem.dataset,
    setting.task
from raw.generation as generation
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
where
    setting.task not in ('repair', 'reflection')
    and generation.parent_generation_id is null;

-- The problem whose tests judge a generation: its own (judged_as is NULL), or the problem of the
-- same task name in the newest release of another dataset, which judged_as names.
create view facts.generation_target as
select
    generation_id,
    problem_id,
    dataset,
    cast(null as varchar) as judged_as
from facts.generation_executable
union all
select
    generation.generation_id,
    other.problem_id,
    generation.dataset,
    newest.dataset as judged_as
from facts.generation_executable as generation
inner join raw.problem as problem on generation.problem_id = problem.problem_id
inner join raw.problem as other on lower(problem.task_id) = lower(other.task_id)
inner join facts.release_newest as newest on other.release_id = newest.release_id
where generation.task = 'synthesis';

-- Generations that a language model can be asked about: its own answers that hold any text.
create view facts.generation_reflectable as
select
    generation.generation_id,
    generation.lm_id,
    problem.dataset
from raw.generation as generation
inner join raw.generation_text as generation_text
    on generation.generation_id = generation_text.generation_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
where
    generation.parent_generation_id is null
    and regexp_matches(generation_text.kept_text, '\S');
