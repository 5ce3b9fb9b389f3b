-- One row per dataset, similarity and scorer asked for, real and simulated language models apart.
with {{ similarities_named(view) }}

select distinct
    dataset,
    simulated,
    similarity,
    scorer,
    scorer_id
from named
where {{ is_similarity_asked(wanted, which_measures) }}
order by all
