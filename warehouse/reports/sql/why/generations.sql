-- One row per generation among these rows, in the order of their problems.
with why_inputs as (
    {{ rows }}
),

placed as (
    select
        inputs.role,
        inputs.id as generation_id,
        language_models.lm,
        problems.dataset,
        problems.task_id,
        generations.sample_index,
        inputs.verdict,
        inputs.null_reason,
        problems.position
    from why_inputs as inputs
    inner join raw.generation as generations on inputs.id = generations.generation_id
    inner join raw.language_model as language_models
        on generations.lm_id = language_models.lm_id
    inner join raw.problem as problems on inputs.problem_id = problems.problem_id
    where inputs.kind = 'generation'
)

select * exclude (position)
from placed
order by role, dataset, position, sample_index, generation_id
