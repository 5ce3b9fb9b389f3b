-- One row: how many samples of whole functions have a verdict.
select count(distinct evaluation.generation_id) as n_scored
from raw.evaluation as evaluation
inner join facts.program_settled as settled on evaluation.program_id = settled.program_id
inner join raw.generation as generation on evaluation.generation_id = generation.generation_id
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.language_model as language_model on generation.lm_id = language_model.lm_id
inner join raw.problem as problem on evaluation.problem_id = problem.problem_id
where
    setting.task in (select unnest(cast($tasks as varchar[])))
    and ($dataset is null or problem.dataset = $dataset)
    and ($answered_by is null or language_model.lm = $answered_by)
