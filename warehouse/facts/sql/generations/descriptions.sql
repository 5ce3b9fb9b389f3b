-- One row per text that a language model gave for a task over the newest release of a dataset.
select
    generation.generation_id,
    generation.problem_id,
    generation.variant_id,
    generation.sample_index,
    generation_text.kept_text
from facts.release_newest as newest
inner join raw.problem as problem on newest.release_id = problem.release_id
inner join raw.generation as generation on problem.problem_id = generation.problem_id
inner join raw.language_model as language_model on generation.lm_id = language_model.lm_id
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.generation_text as generation_text
    on generation.generation_id = generation_text.generation_id
where
    newest.dataset = $dataset
    and language_model.lm = $lm
    and setting.task = $task
order by problem.position, generation.setting_id, generation.sample_index
