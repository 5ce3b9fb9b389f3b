-- One row per language model and mutation of one dataset, the smallest language models first.
select
    lm_id,
    lm,
    revision,
    n_parameters,
    mutation,
    {{ effect }} as effect,
    {{ effect }}_lo as effect_lo,
    {{ effect }}_hi as effect_hi
from (
    {{ rows }}
)
where dataset = {{ literal(dataset) }} and simulated = {{ simulated | lower }}
order by n_parameters nulls last, lm, lm_id, {{ index_of("mutation", mutations) }}, mutation
