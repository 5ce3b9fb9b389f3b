-- One row per test that is no assert, of the problems that are named.
select
    problem_id,
    kind,
    body
from raw.test
where
    kind <> 'assert'
    and problem_id in (select unnest(cast($problem_ids as varchar[])))
order by problem_id, test_index
