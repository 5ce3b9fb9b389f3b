-- One row per similarity and scorer of some rows, in the paper's order.
select
    similarity,
    scorer,
    scorer_id
from (
    {{ rows }}
)
group by similarity, scorer, scorer_id
order by {{ index_of("similarity", similarities) }}, similarity, scorer, scorer_id
