-- One row per problem of one release, the largest lead of the first language model first.
select *
from (
    {{ rows }}
)
where release_id = {{ literal(release_id) }}
order by difference desc, task_id asc
