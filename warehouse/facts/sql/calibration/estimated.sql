-- One row per subject, and hash of its rows, that has an estimate by each of these methods.
select
    subject_key,
    input_key
from raw.estimate
where
    rescaler = 'none'
    and method in (select unnest($methods))
group by
    subject_key,
    input_key
having count(distinct method) = len($methods)
