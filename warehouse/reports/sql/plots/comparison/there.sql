-- Which metrics a view compares, and at which k.
select
    metric,
    string_agg(distinct k, ', ' order by k) as ks
from {{ view }}
where difference is not null
group by metric
order by metric
