-- One row per release and mutation: what became of the places found, in the paper's order.
select *
from mutation_yield_v1
where edition = {{ version }}
order by
    {{ index_of("dataset", datasets) }},
    dataset,
    dataset_version,
    {{ index_of("mutation", mutations) }},
    mutation
