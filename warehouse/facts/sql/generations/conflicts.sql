-- One row per sample of the registered table incoming that is known with another text or rule.
select
    incoming.n,
    generation.sample_index,
    generation.text_key <> incoming.text_key as has_other_text,
    generation_text.kept_rule
from incoming
inner join raw.generation as generation on incoming.generation_id = generation.generation_id
inner join raw.generation_text as generation_text
    on incoming.generation_id = generation_text.generation_id
where generation.text_key <> incoming.text_key or generation_text.kept_rule <> $kept_rule
order by incoming.n
limit 1
