-- One row per language model and dataset of a view of curves: up to which k it has them.
select
    trim(lm || ' ' || revision) as lm,
    dataset,
    max(k) as k
from {{ view }}
group by all
order by all
