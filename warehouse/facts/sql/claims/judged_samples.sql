-- One row per judged sample of a language model, asked in one way: its texts and our verdict.
select
    verdicts.task_id,
    verdicts.sample_index,
    variant.prompt,
    problem.reference,
    generation_text.kept_text,
    candidate.source as program,
    verdicts.verdict,
    generation.n_prompt_tokens,
    generation.n_completion_tokens
from generation_verdicts_v1 as verdicts
inner join raw.generation as generation on verdicts.generation_id = generation.generation_id
inner join raw.generation_text as generation_text
    on verdicts.generation_id = generation_text.generation_id
inner join raw.problem as problem on verdicts.problem_id = problem.problem_id
inner join raw.variant as variant on verdicts.variant_id = variant.variant_id
inner join raw.candidate as candidate on verdicts.candidate_id = candidate.candidate_id
where
    verdicts.lm = $lm
    and verdicts.revision = $revision
    and verdicts.setting_id = $setting_id
    and verdicts.release_id = $release_id
    and verdicts.verdict is not null
order by problem.position, verdicts.sample_index, verdicts.generation_id
