-- One row per release and mutation, a block per dataset: what became of the places found.
with yields as (
    {{ rows }}
),

grouped as (
    select
        yields.*,
        losses.n_invalid,
        losses.n_unjudged
    from yields
    inner join mutation_losses_v1 as losses
        on
            yields.release_id = losses.release_id
            and yields.edition = losses.edition
            and yields.mutation = losses.mutation
)

select
    dataset || if(
        count(distinct dataset_version) over (partition by dataset) > 1, ' ' || dataset_version, ''
    ) as block,
    {{ label_of("mutation", mutations) }} as mutation_label,
    n_found,
    n_declined,
    n_invalid,
    n_unjudged,
    n_no_cut,
    n_kept,
    n_problems_kept
from grouped
order by
    {{ index_of("dataset", datasets) }},
    dataset,
    dataset_version,
    {{ index_of("mutation", mutations) }},
    mutation
