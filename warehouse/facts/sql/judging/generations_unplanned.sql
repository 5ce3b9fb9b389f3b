-- One row per generation of a named task that is no program yet under the admission of the problem
-- it faces. These are problems of real projects, or the others.
with target as (
    select
        generation_id,
        problem_id,
        admission_id,
        task
    from facts.generations_unplanned($policy, $judge_version, $project_judge_version)
    where
        admission_id is not null
        and over_projects = $over_projects
        and judged_as is not distinct from $judged_as
        and ($dataset is null or dataset = $dataset)
        and task in (select unnest(cast($tasks as varchar[])))
),

unkept as (
    select distinct generation_id
    from raw.generation_issue
    where code in (select unnest(cast($unkept_issues as varchar[])))
)

select
    target.generation_id,
    target.problem_id,
    target.admission_id,
    target.task,
    setting.style,
    variant.prompt,
    generation_text.kept_text,
    coalesce(region.suffix, problem.suffix) as suffix,
    problem.prompt as problem_prompt,
    unkept.generation_id is not null as unkept
from target
inner join raw.generation as generation on target.generation_id = generation.generation_id
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.variant as variant on generation.variant_id = variant.variant_id
left join raw.region as region on generation.variant_id = region.variant_id
inner join raw.generation_text as generation_text
    on target.generation_id = generation_text.generation_id
inner join raw.problem as problem on target.problem_id = problem.problem_id
left join unkept on target.generation_id = unkept.generation_id
limit $most  -- noqa: AM09
