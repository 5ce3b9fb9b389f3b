-- One row per dataset and notion of a table, in the order of its columns.
select
    dataset,
    notion
from (
    {{ rows }}
)
group by dataset, notion
order by {{ index_of("dataset", datasets) }}, dataset, notion
