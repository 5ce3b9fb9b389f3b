-- One row per entry of one board or dataset, the largest difference first.
select *
from (
    {{ rows }}
)
where
    dataset = {{ literal(dataset) }}
    and simulated = {{ simulated | lower }}
    and board = {{ literal(board) }}
order by difference desc, name asc, key asc
