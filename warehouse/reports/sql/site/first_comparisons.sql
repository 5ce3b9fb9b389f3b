-- One row per two entries that are compared by pass@1.
select *
from (
    {{ rows }}
)
where metric = 'pass_at_k' and k = 1
