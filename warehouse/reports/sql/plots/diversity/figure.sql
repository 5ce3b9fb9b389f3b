-- One row per language model and setting of one panel: those with most right samples first, then
-- the most diverse ones.
with {{ similarities_named(view) }}

select
    name,
    k,
    n_sim,
    n_csim,
    {% for number in numbers %}
    {{ number }},
    {{ number }}_lo,
    {{ number }}_hi,
    {% endfor %}
from named
where
    {{ is_similarity_asked(wanted, which_measures) }}
    and dataset = {{ literal(dataset) }}
    and simulated = {{ simulated | lower }}
    and similarity = {{ literal(similarity) }}
    and scorer_id = {{ literal(scorer_id) }}
order by pass_at_1 desc nulls last, sim asc, name asc, setting_id asc
