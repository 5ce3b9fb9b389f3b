{% set named = claim_source_columns() + ['dataset_version', 'release_id'] %}
{% set kinds = {
    'agreement': 'share', 'claimed_pass': 'share', 'judged_pass': 'share',
    'difference': 'difference', 'all_claimed_pass': 'share',
} %}

with claims as (
    select
        *,
        coalesce(release_id, '') as release_key,
    from {{ ref('claim_verdicts', v=1) }}
),

tallied as (
    select
        claim_source_id,
        metric,
        release_key,
        {% for column in named[1:] %}
        any_value({{ column }}) as {{ column }},
        {% endfor %}
        count(*) as n_claims,
        count(claimed_passed) filter (task_id is not null) as n_verdicts,
        count(comparison) as n_compared,
        count(distinct problem_id) filter (comparison is not null) as n_problems,
        count(*) filter (comparison = 'agrees' and claimed_passed) as n_both_passed,
        count(*) filter (comparison = 'agrees' and not claimed_passed) as n_both_failed,
        count(*) filter (comparison = 'claimed_only') as n_claimed_only,
        count(*) filter (comparison = 'judged_only') as n_judged_only,
        {% for verdict in failing_verdicts() %}
        count(*) filter (comparison = 'claimed_only' and verdict = '{{ verdict }}')
            as n_claimed_only_{{ verdict }},
        {% endfor %}
        {% for reason in claim_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_{{ reason }},
        {% endfor %}
    from claims
    group by claim_source_id, metric, release_key
),

-- a verdict of ours is there where both are compared
problem_values as (
    select
        claim_source_id,
        metric,
        release_key,
        task_id,
        avg(cast(comparison = 'agrees' as integer)) as agreement,
        avg(cast(claimed_passed as integer)) filter (comparison is not null) as claimed_pass,
        avg(cast(judged_passed as integer)) as judged_pass,
        avg(cast(claimed_passed as integer) - cast(judged_passed as integer)) as difference,
        avg(cast(claimed_passed as integer)) as all_claimed_pass,
    from claims
    where
        task_id is not null
        and claimed_passed is not null
    group by claim_source_id, metric, release_key, task_id
),

means as (
    select
        claim_source_id,
        metric,
        release_key,
        {% for measure in kinds %}
        avg({{ measure }} order by task_id) as {{ measure }},
        {% endfor %}
    from problem_values
    group by claim_source_id, metric, release_key
),

{{ mean_interval(
    'problem_values', ['claim_source_id', 'metric', 'release_key'], kinds, 'task_id'
) }},

published as (
    select
        {{ listed(named, 'tallied') }}
        tallied.metric,
        tallied.n_claims,
        tallied.n_verdicts,
        tallied.n_compared,
        tallied.n_problems,
        tallied.n_problems < {{ var('few_clusters') }} as few_clusters,
        {{ listed_with_intervals(kinds, 'means', 'interval_found') }}
        interval_found.agreement_interval_null_reason as interval_null_reason,
        interval_found.difference_interval_null_reason,
        interval_found.all_claimed_pass_interval_null_reason,
        if(tallied.n_compared = 0, 'nothing_compared', null) as null_reason,
        tallied.n_both_passed,
        tallied.n_both_failed,
        tallied.n_claimed_only,
        tallied.n_judged_only,
        {% for verdict in failing_verdicts() %}
        tallied.n_claimed_only_{{ verdict }},
        {% endfor %}
        {% for reason in claim_null_reasons() %}
        tallied.n_{{ reason }},
        {% endfor %}
        'claimed_vs_judged_v1' as view_version,
    from tallied
    left join means
        on
            tallied.claim_source_id = means.claim_source_id
            and tallied.metric = means.metric
            and tallied.release_key = means.release_key
    left join interval_found
        on
            tallied.claim_source_id = interval_found.claim_source_id
            and tallied.metric = interval_found.metric
            and tallied.release_key = interval_found.release_key
)

select * from published
