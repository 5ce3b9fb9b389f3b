-- One row per problem whose values differ, widest first.
select * exclude (dataset)
from (
    {{ rows }}
)
where abs(difference) > 1e-9
order by release_id asc, metric asc, k asc, difference desc, task_id asc
