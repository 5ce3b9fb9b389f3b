-- One row per answer with a confidence: why it has no label or no score. What is compared as a text
-- has a label, and no verdict.
select
    'answers' as role,
    'generation' as kind,
    confidence.generation_id as id,
    coalesce(verdicts.problem_id, confidence.problem_id) as problem_id,
    if($notion = 'exact_match', null, verdicts.candidate_id) as candidate_id,
    if(
        $notion = 'exact_match' or verdicts.set_aside is not null, null, verdicts.verdict
    ) as verdict,
    coalesce(
        if(errata.exclude, 'errata', null),
        verdicts.set_aside,
        if($notion = 'exact_match', null, verdicts.null_reason),
        if(
            coalesce($notion, 'all_pass') = 'all_pass' and verdicts.generation_id is null,
            'not_available', null
        ),
        if(settings.resampled, 'not_applicable', null),
        case
            when $version = 1 and $measure = 'verbalized' then confidence_v1.verbalized_null_reason
            when $version = 1 and $measure = 'ask_tf' then confidence_v1.ask_tf_null_reason
            when $version = 1 and $measure = 'ask_tf_normalized'
                then confidence_v1.ask_tf_normalized_null_reason
            when $version = 1 and $measure = 'length' then confidence_v1.length_null_reason
            when $measure = 'avg_prob' then confidence.avg_prob_null_reason
            when $measure = 'total_prob' then confidence.total_prob_null_reason
            when $measure = 'geometric_mean_prob'
                then confidence.geometric_mean_prob_null_reason
            when $measure = 'min_prob' then confidence.min_prob_null_reason
            when $measure = 'avg_prob_incl_stop' then confidence.avg_prob_incl_stop_null_reason
            when $measure = 'total_prob_incl_stop'
                then confidence.total_prob_incl_stop_null_reason
            when $measure = 'verbalized' then confidence.verbalized_null_reason
            when $measure = 'verbalized_base_rate'
                then nullif(confidence.verbalized_null_reason, 'parse_fail')
            when $measure = 'ask_tf' then confidence.ask_tf_null_reason
            when $measure = 'ask_tf_normalized' then confidence.ask_tf_normalized_null_reason
            when $measure = 'length' then confidence.length_null_reason
        end
    ) as null_reason,
    generations.run_id
from confidence_v2 as confidence
inner join confidence_v1 on confidence.generation_id = confidence_v1.generation_id
inner join raw.generation as generations on confidence.generation_id = generations.generation_id
inner join raw.setting as settings on confidence.setting_id = settings.setting_id
left join generation_verdicts_v1 as verdicts
    on
        confidence.generation_id = verdicts.generation_id
        and (verdicts.release_id = $release_id or $dataset = '*-lines')
inner join raw.problem as problems
    on coalesce(verdicts.problem_id, confidence.problem_id) = problems.problem_id
inner join raw.dataset_release as releases on problems.release_id = releases.release_id
inner join raw.run as runs on releases.run_id = runs.run_id
left join errata
    on
        regexp_replace(problems.dataset, '-lines$', '') = errata.dataset
        and problems.task_id = errata.task_id
        and errata.exclude
where
    confidence.lm_id = $lm_id
    and confidence.setting_id = $setting_id
    and (
        problems.release_id = $release_id
        or ($dataset = '*-lines' and problems.compare = 'project')
    )
-- of several projects' lines, those of each project's newest release
qualify
    coalesce($dataset, '') <> '*-lines'
    or dense_rank() over (
        partition by problems.dataset
        order by runs.started_at desc, releases.release_id asc
    ) = 1
