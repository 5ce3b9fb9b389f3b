-- One row per generation and problem that judges it: the verdict that counts, or why there is none.
select
    generation_id,
    problem_id,
    verdict,
    null_reason,
    set_aside
from generation_verdicts_v1
order by all
