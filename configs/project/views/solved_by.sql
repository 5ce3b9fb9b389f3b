-- One row per dataset and language model: how many problems some sample of it solves.
select
    dataset,
    lm,
    count(distinct task_id) filter (where verdict = 'passed') as n_solved,
    count(distinct task_id) as n_problems
from {{ ref('generation_verdicts') }}
group by dataset, lm
