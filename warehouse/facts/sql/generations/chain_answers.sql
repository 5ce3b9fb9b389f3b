-- One row per answer of a language model under a setting, among the first samples of each problem.
-- The problem is of the newest release of a dataset.
select
    generation.generation_id,
    generation.problem_id,
    generation.sample_index,
    generation.parent_generation_id,
    generation_text.kept_text
from facts.release_newest as newest
inner join raw.problem as problem on newest.release_id = problem.release_id
inner join raw.generation as generation on problem.problem_id = generation.problem_id
inner join raw.generation_text as generation_text
    on generation.generation_id = generation_text.generation_id
where
    newest.dataset = $dataset
    and generation.lm_id = $lm_id
    and generation.setting_id = $setting_id
    and generation.sample_index < $n
order by problem.position, generation.sample_index
