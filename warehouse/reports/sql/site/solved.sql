-- One row per problem: language models that solve it under the setting of their leaderboard.
select
    verdicts.problem_id,
    count(distinct verdicts.lm_id) as n_solving
from generation_verdicts_v1 as verdicts
inner join headline_setting_v1 as headlines
    on
        verdicts.lm_id = headlines.lm_id
        and verdicts.setting_id = headlines.setting_id
        and verdicts.release_id = headlines.release_id
where
    headlines.family = 'leaderboard'
    and headlines.rank = 1
    and verdicts.passed
group by all
order by all
