-- One row: how many answers there are to the named tasks.
select count(*) as n_answers
from raw.generation as generation
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
where
    setting.task in (select unnest(cast($tasks as varchar[])))
    and ($dataset is null or problem.dataset = $dataset)
