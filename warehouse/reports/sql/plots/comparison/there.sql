-- One row per metric that a view compares: at which k.
select
    metric,
    string_agg(distinct k, ', ' order by k) as ks
from {{ view }}
where difference is not null
group by metric
order by metric
