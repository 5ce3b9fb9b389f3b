-- One row per named generation: its whole answer, as a backend gave it.
select
    generation.generation_id,
    generation_text.raw_text as text,
    generation.finish_reason,
    generation.n_prompt_tokens,
    generation.n_completion_tokens,
    generation.latency_s,
    token_logprob.tokens,
    token_logprob.logprobs,
    token_logprob.top_tokens,
    token_logprob.top_logprobs,
    token_logprob.cumulative_logprob
from raw.generation as generation
inner join raw.generation_text as generation_text
    on generation.generation_id = generation_text.generation_id
left join raw.token_logprob as token_logprob
    on generation.generation_id = token_logprob.generation_id
where generation.generation_id in (select unnest(cast($generation_ids as varchar[])))
