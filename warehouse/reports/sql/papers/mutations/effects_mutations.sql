-- One row per mutation of some effects, in the paper's order.
select mutation
from (
    {{ rows }}
)
group by mutation
order by {{ index_of("mutation", mutations) }}, mutation
