-- What a view has curves of, and up to which k.
select
    trim(lm || ' ' || revision) as lm,
    dataset,
    max(k) as k
from {{ view }}
group by all
order by all
