-- 14: what is white space in an answer.
-- A language model's own answers that hold any text, with their task. What Unicode counts as white
-- space is no text: \s alone has only that of ASCII.
create or replace view facts.generation_reflectable as
select
    generation.generation_id,
    generation.lm_id,
    problem.dataset,
    setting.task
from raw.generation as generation
inner join raw.generation_text as generation_text
    on generation.generation_id = generation_text.generation_id
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
where
    generation.parent_generation_id is null
    and regexp_matches(generation_text.kept_text, '[^\s\x0B\x1C-\x1F\x85\p{Z}]');
