-- One row per dataset and language model: how many answers there are, judged and to be judged.
with judged as (
    select distinct evaluation.generation_id
    from raw.evaluation as evaluation
    inner join facts.program_settled as settled on evaluation.program_id = settled.program_id
),

unplanned as (
    select generation_id
    from
        facts.generations_unplanned(
            getvariable('policy'),
            getvariable('judge_version'),
            getvariable('project_judge_version')
        )
    where judged_as is null and task in (select unnest(getvariable('tasks_run')))
),

unexecuted as (
    select evaluation.generation_id
    from raw.evaluation as evaluation
    inner join facts.programs_due(
        getvariable('policy'), getvariable('judge_version'), getvariable('project_judge_version')
    ) as due on evaluation.program_id = due.program_id
),

pending as (
    select generation_id from unplanned
    union distinct
    select generation_id from unexecuted
)

select
    problem.dataset,
    language_model.lm,
    language_model.simulated,
    count_if(setting.task in (select unnest(getvariable('tasks_asked')))) as n_generations,
    count_if(setting.task not in (select unnest(getvariable('tasks_asked')))) as n_reflections,
    count_if(judged.generation_id is not null) as n_judged,
    count_if(pending.generation_id is not null) as n_pending
from raw.generation as generation
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.problem as problem on generation.problem_id = problem.problem_id
inner join raw.language_model as language_model on generation.lm_id = language_model.lm_id
left join judged on generation.generation_id = judged.generation_id
left join pending on generation.generation_id = pending.generation_id
group by all
order by all
