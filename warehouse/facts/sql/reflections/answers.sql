-- One row per named generation: the answer and what it answers.
select
    generation.generation_id,
    generation.sample_index,
    generation.problem_id,
    generation.variant_id,
    problem.task_id,
    problem.reference,
    variant.prompt,
    generation_text.kept_text
from raw.generation as generation
inner join raw.generation_text as generation_text
    on generation.generation_id = generation_text.generation_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
inner join raw.variant as variant on generation.variant_id = variant.variant_id
where generation.generation_id in (select unnest(cast($generation_ids as varchar[])))
order by generation.generation_id
