-- One row per answer of a language model under a setting, judged or not.
select
    'answers' as role,
    'generation' as kind,
    generations.generation_id as id,
    generations.problem_id,
    cast(null as varchar) as candidate_id,
    cast(null as varchar) as verdict,
    cast(null as varchar) as null_reason,
    generations.run_id
from raw.generation as generations
inner join raw.problem as problems on generations.problem_id = problems.problem_id
where
    ($generation_id is null or generations.generation_id = $generation_id)
    and ($lm_id is null or generations.lm_id = $lm_id)
    and ($setting_id is null or generations.setting_id = $setting_id)
    and ($release_id is null or problems.release_id = $release_id)
    and ($dataset is null or list_contains(string_split($dataset, '+'), problems.dataset))
