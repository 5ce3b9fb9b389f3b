-- One row per description of one language model and setting, program of another, or program
-- that was written without a description.
with candidates as (
    select
        generation_id,
        problem_id,
        max(candidate_id) as candidate_id
    from raw.evaluation
    group by generation_id, problem_id
),

generations as (
    select
        generations.generation_id,
        generations.problem_id,
        generations.run_id,
        case
            when generations.lm_id = $forward_lm_id and generations.setting_id = $forward_setting_id
                then 'descriptions'
            when generations.parent_generation_id is null then 'baseline'
            else 'programs'
        end as role
    from raw.generation as generations
    inner join raw.variant as variants on generations.variant_id = variants.variant_id
    left join raw.generation as parents
        on generations.parent_generation_id = parents.generation_id
    where
        (generations.lm_id = $forward_lm_id and generations.setting_id = $forward_setting_id)
        or (
            generations.lm_id = $lm_id
            and generations.setting_id = $setting_id
            and variants.kind <> 'comment'
            and (
                parents.generation_id is null
                or (parents.lm_id = $forward_lm_id and parents.setting_id = $forward_setting_id)
            )
        )
)

select
    generations.role,
    'generation' as kind,
    generations.generation_id as id,
    generations.problem_id,
    candidates.candidate_id,
    if(round_trips.set_aside is null, round_trips.verdict, null) as verdict,
    coalesce(
        if(errata.exclude, 'errata', null),
        round_trips.set_aside,
        round_trips.null_reason,
        if(round_trips.generation_id is null, 'not_applicable', null)
    ) as null_reason,
    generations.run_id
from generations
inner join raw.problem as problems on generations.problem_id = problems.problem_id
left join raw.project_problem as project_problems
    on generations.problem_id = project_problems.problem_id
left join round_trips_v1 as round_trips
    on generations.generation_id = round_trips.generation_id
left join candidates
    on
        generations.generation_id = candidates.generation_id
        and generations.problem_id = candidates.problem_id
left join errata
    on
        problems.dataset = errata.dataset
        and problems.task_id = errata.task_id
        and errata.exclude
where
    ($release_id is null or problems.release_id = $release_id)
    and ($dataset is null or list_contains(string_split($dataset, '+'), problems.dataset))
    and ($mean_over is null or project_problems.problem_id is not null)
