-- One row per answer to one problem, of every language model under its headline setting.
select
    'answers' as role,
    'generation' as kind,
    verdicts.generation_id as id,
    verdicts.problem_id,
    verdicts.candidate_id,
    verdicts.verdict,
    verdicts.null_reason,
    generations.run_id
from generation_verdicts_v1 as verdicts
inner join headline_setting_v1 as headlines
    on
        verdicts.lm_id = headlines.lm_id
        and verdicts.setting_id = headlines.setting_id
        and verdicts.release_id = headlines.release_id
inner join raw.generation as generations on verdicts.generation_id = generations.generation_id
where
    headlines.family = 'leaderboard'
    and headlines.rank = 1
    and not headlines.resampled
    and verdicts.problem_id = $problem_id
    and verdicts.simulated = $simulated
