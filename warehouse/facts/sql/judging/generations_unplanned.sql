-- One row per generation of a named task that is no program yet under the admission of the problem
-- it faces: problems of real projects, or the others.
with target as (
    select
        generation_id,
        problem_id
    from facts.generation_target
    where
        judged_as is not distinct from $judged_as
        and ($dataset is null or dataset = $dataset)
        and task in (select unnest(cast($tasks as varchar[])))
),

admitted as (
    select
        problem_id,
        admission_id
    from raw.admission
    where policy = $policy and judge_version = $judge_version and mode <> 'rejected'
),

planned as (
    select
        evaluation.generation_id,
        program.admission_id
    from raw.evaluation as evaluation
    inner join raw.program as program on evaluation.program_id = program.program_id
),

unkept as (
    select distinct generation_id
    from raw.generation_issue
    where code in (select unnest(cast($unkept_issues as varchar[])))
)

select
    target.generation_id,
    target.problem_id,
    admitted.admission_id,
    setting.task,
    setting.style,
    variant.prompt,
    generation_text.kept_text,
    coalesce(region.suffix, problem.suffix) as suffix,
    problem.prompt as problem_prompt,
    unkept.generation_id is not null as unkept
from target
inner join admitted on target.problem_id = admitted.problem_id
anti join planned
    on
        target.generation_id = planned.generation_id
        and admitted.admission_id = planned.admission_id
inner join raw.generation as generation on target.generation_id = generation.generation_id
inner join raw.setting as setting on generation.setting_id = setting.setting_id
inner join raw.variant as variant on generation.variant_id = variant.variant_id
left join raw.region as region on generation.variant_id = region.variant_id
inner join raw.generation_text as generation_text
    on target.generation_id = generation_text.generation_id
inner join raw.problem as problem on target.problem_id = problem.problem_id
left join unkept on target.generation_id = unkept.generation_id
where (problem.compare = 'project') = $over_projects
limit $most  -- noqa: AM09
