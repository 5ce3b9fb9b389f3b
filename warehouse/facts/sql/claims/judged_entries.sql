-- One row per way of asking a language model that has verdicts on the newest release of a dataset.
select
    verdicts.revision,
    verdicts.setting_id,
    verdicts.setting,
    verdicts.release_id,
    verdicts.dataset_version,
    max(run.started_at) as judged_at,
    any_value(pass_at_k.pass_at_k) as pass_at_1,
    any_value(pass_at_k.pass_at_k_lo) as pass_at_1_lo,
    any_value(pass_at_k.pass_at_k_hi) as pass_at_1_hi,
    count(distinct verdicts.problem_id) as n_problems
from generation_verdicts_v1 as verdicts
inner join facts.release_newest as newest on verdicts.release_id = newest.release_id
inner join raw.evaluation as evaluation
    on
        verdicts.generation_id = evaluation.generation_id
        and verdicts.problem_id = evaluation.problem_id
        and verdicts.candidate_id = evaluation.candidate_id
inner join raw.run as run on evaluation.run_id = run.run_id
left join pass_at_k_v1 as pass_at_k
    on
        verdicts.lm_id = pass_at_k.lm_id
        and verdicts.setting_id = pass_at_k.setting_id
        and verdicts.release_id = pass_at_k.release_id
        and pass_at_k.k = 1
where
    verdicts.lm = $lm
    and ($revision is null or verdicts.revision = $revision)
    and verdicts.dataset = $dataset
    and verdicts.verdict is not null
group by
    verdicts.revision,
    verdicts.setting_id,
    verdicts.setting,
    verdicts.release_id,
    verdicts.dataset_version
order by verdicts.revision, verdicts.setting_id
