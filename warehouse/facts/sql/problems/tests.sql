-- One row per test of the problems that are named, in order.
select
    problem_id,
    suite,
    kind,
    body
from raw.test
where problem_id in (select unnest(cast($problem_ids as varchar[])))
order by problem_id, test_index
