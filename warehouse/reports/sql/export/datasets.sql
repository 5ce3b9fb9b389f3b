-- One row per name of a dataset in a result.
select distinct dataset
from (
    {{ rows }}
)
where dataset is not null
order by all
