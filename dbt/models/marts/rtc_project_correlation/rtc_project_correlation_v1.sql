{#- Fewer projects give no interval, and a correlation is published only with one. -#}
{% set least_n = 4 %}
{% set keys = ['lm_id', 'other_lm_id'] %}

with headlines as (
    select *
    from {{ ref('headline_round_trip', v=1) }}
    where
        family = 'projects_v1'
        and rank = 1
),

by_project as (
    select *
    from {{ ref('rtc_by_project', v=1) }}
    where
        project <> '(all)'
        and similarity = 'pass'
),

projects as (
    select by_project.*
    from by_project
    inner join headlines
        on
            by_project.lm_id = headlines.lm_id
            and by_project.forward_lm_id = headlines.lm_id
            and by_project.setting_id = headlines.setting_id
            and by_project.forward_setting_id = headlines.forward_setting_id
),

pairs as (
    select
        ours.lm_id,
        ours.lm,
        ours.revision,
        theirs.lm_id as other_lm_id,
        theirs.lm as other_lm,
        theirs.revision as other_revision,
        ours.simulated,
        ours.rtc,
        theirs.rtc as other_rtc,
        ours.rtc is not null and theirs.rtc is not null as is_whole,
    from projects as ours
    inner join projects as theirs
        on
            ours.project = theirs.project
            and ours.dataset = theirs.dataset
            and ours.dataset_version = theirs.dataset_version
            and ours.simulated = theirs.simulated
            and ours.lm_id < theirs.lm_id
),

sizes as (
    select
        {{ listed(keys) }}
        any_value(lm) as lm,
        any_value(revision) as revision,
        any_value(other_lm) as other_lm,
        any_value(other_revision) as other_revision,
        any_value(simulated) as simulated,
        count(*) filter (is_whole) as n_projects,
    from pairs
    group by {{ keys | join(', ') }}
),

ranked as (
    select
        {{ listed(keys) }}
        rtc,
        other_rtc,
        {{ mid_rank('rtc', keys) }} as rtc_rank,
        {{ mid_rank('other_rtc', keys) }} as other_rtc_rank,
    from pairs
    where is_whole
),

correlated as (
    select
        {{ listed(keys) }}
        {{ pearson('rtc', 'other_rtc') }} as pearson,
        {{ pearson('rtc_rank', 'other_rtc_rank') }} as spearman,
    from ranked
    group by {{ keys | join(', ') }}
),

reasoned as (
    select
        sizes.*,
        correlated.pearson,
        correlated.spearman,
        case
            when sizes.n_projects < {{ least_n }} then 'n_lt_min'
            when correlated.pearson is null then 'zero_variance'
        end as null_reason,
    from sizes
    left join correlated
        on
            sizes.lm_id = correlated.lm_id
            and sizes.other_lm_id = correlated.other_lm_id
),

published as (
    select
        lm_id,
        lm,
        revision,
        other_lm_id,
        other_lm,
        other_revision,
        simulated,
        n_projects,
        if(null_reason is null, pearson, null) as pearson,
        if(
            null_reason is null, {{ fisher_bound('pearson', 'n_projects', '-') }}, null
        ) as pearson_lo,
        if(
            null_reason is null, {{ fisher_bound('pearson', 'n_projects', '+') }}, null
        ) as pearson_hi,
        if(null_reason is null, spearman, null) as spearman,
        n_projects < {{ var('few_clusters') }} as few_pairs,
        null_reason,
        'rtc_project_correlation_v1' as view_version,
    from reasoned
)

select * from published
