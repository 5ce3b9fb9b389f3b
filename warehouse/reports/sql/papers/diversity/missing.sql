-- One row: how many problems have values missing, and in how many too few samples are the reason.
select
    max(k) as k,
    coalesce(sum(n_total), 0) as n_problems,
    coalesce(sum(n_null_n_lt_k), 0) as n_too_few_samples
from {{ view }}
where scope = 'first_k'
