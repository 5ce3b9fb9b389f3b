-- One row per generation, those of a problem together and those about others last, with the
-- programs that judged it.
with programs as (
    select
        generation_id,
        list(struct_pack(program_id, problem_id) order by program_id) as programs
    from raw.evaluation
    group by all
)

select
    generations.generation_id,
    generations.lm_id,
    generations.problem_id,
    generations.variant_id,
    generations.setting_id,
    generations.sample_index,
    generations.parent_generation_id,
    generations.source,
    generations.finish_reason,
    generations.n_prompt_tokens,
    generations.n_completion_tokens,
    generations.latency_s,
    generations.cost_usd,
    generations.claimed_pass,
    generations.run_id,
    settings.task,
    programs.programs
from raw.generation as generations
inner join raw.setting as settings on generations.setting_id = settings.setting_id
inner join raw.problem as problems on generations.problem_id = problems.problem_id
inner join raw.language_model as language_models on generations.lm_id = language_models.lm_id
left join programs on generations.generation_id = programs.generation_id
order by
    problems.dataset,
    problems.release_id,
    problems.position,
    problems.problem_id,
    generations.parent_generation_id is not null,
    settings.task,
    language_models.lm,
    generations.lm_id,
    generations.setting_id,
    generations.sample_index,
    generations.generation_id
