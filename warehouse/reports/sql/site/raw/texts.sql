-- One row per generation, in the order of the pages: what was asked, answered and kept.
select
    generations.generation_id,
    variants.kind,
    variants.prompt,
    texts.raw_text,
    texts.kept_text,
    texts.kept_rule,
    tokens.tokens,
    tokens.logprobs,
    tokens.kept
from raw.generation as generations
inner join raw.problem as problems on generations.problem_id = problems.problem_id
inner join raw.variant as variants on generations.variant_id = variants.variant_id
left join raw.generation_text as texts on generations.generation_id = texts.generation_id
left join raw.token_logprob as tokens on generations.generation_id = tokens.generation_id
order by
    problems.dataset,
    problems.release_id,
    problems.position,
    problems.problem_id,
    generations.generation_id
