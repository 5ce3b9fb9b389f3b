-- One row: how many repairs there are.
select count(*) as n_repairs
from raw.generation as generation
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
where
    setting.task = 'repair'
    and generation.parent_generation_id is null
    and ($dataset is null or problem.dataset = $dataset)
