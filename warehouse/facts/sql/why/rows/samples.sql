-- One row per answer that was judged by running it, and problem that judges it.
select
    'answers' as role,
    'generation' as kind,
    verdicts.generation_id as id,
    verdicts.problem_id,
    verdicts.candidate_id,
    if(verdicts.set_aside is null, verdicts.verdict, null) as verdict,
    coalesce(verdicts.set_aside, verdicts.null_reason) as null_reason,
    generations.run_id
from generation_verdicts_v1 as verdicts
inner join raw.generation as generations on verdicts.generation_id = generations.generation_id
inner join raw.problem as problems on verdicts.problem_id = problems.problem_id
inner join raw.dataset_release as releases on problems.release_id = releases.release_id
inner join raw.run as runs on releases.run_id = runs.run_id
where
    ($generation_id is null or verdicts.generation_id = $generation_id)
    and ($lm_id is null or verdicts.lm_id = $lm_id)
    and ($setting_id is null or verdicts.setting_id = $setting_id)
    and ($problem_id is null or verdicts.problem_id = $problem_id)
    and ($difficulty is null or $difficulty = 'all' or problems.difficulty = $difficulty)
    and (
        ($release_id is null and $dataset is null)
        or verdicts.release_id = $release_id
        or ($release_id is null and list_contains(string_split($dataset, '+'), verdicts.dataset))
        or ($dataset = '*-lines' and problems.compare = 'project')
    )
-- of several projects' lines, those of each project's newest release
qualify
    coalesce($dataset, '') <> '*-lines'
    or dense_rank() over (
        partition by problems.dataset
        order by runs.started_at desc, releases.release_id asc
    ) = 1
