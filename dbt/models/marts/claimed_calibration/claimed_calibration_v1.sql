{% set kinds = {'base_rate': 'share', 'mean_score': 'share', 'brier': 'share'} %}
{#- The base rate as a score depends on our verdicts: it is no confidence for claimed ones. -#}
{% set ours = [] %}
{% for version, measure, score, _, reason in calibration_measures()
    if version == 2 and measure != 'verbalized_base_rate' %}
{% do ours.append([measure, score, reason]) %}
{% endfor %}

with entries as (
    select *
    from {{ ref('int_claimed_entry') }}
),

samples as (
    select *
    from {{ ref('int_claimed_sample') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

confidences as (
    select
        generation_id,
        {{ listed(calibration_columns()) }}
    from {{ ref('int_confidence_measured') }}
),

here as (
    select
        samples.*,
        settings.resampled,
        {{ listed(calibration_columns(), 'confidences') }}
    from samples
    inner join confidences on samples.generation_id = confidences.generation_id
    inner join settings on samples.setting_no = settings.setting_no
),

stacked as (
    select
        entry_no,
        cast(null as integer) as setting_no,
        'claimed' as measure,
        claim_id,
        problem_index,
        passed,
        confidence as score,
        if(confidence is null, 'no_confidence_claimed', null) as score_null_reason,
    from samples
    {% for measure, score, reason in ours %}
    union all by name
    select
        entry_no,
        setting_no,
        '{{ measure }}' as measure,
        claim_id,
        problem_index,
        passed,
        {{ score }} as score,
        -- where the maker replaced failed samples, verdicts say nothing of the language model
        if(resampled, 'not_applicable', {{ reason }}) as score_null_reason,
    from here
    {% endfor %}
),

scored as (
    select
        cast(
            dense_rank() over (order by entry_no, setting_no nulls first, measure) as integer
        ) as subject_no,
        *,
        if(passed is null, 'no_verdict_claimed', score_null_reason) as null_reason,
    from stacked
),

subjects as (
    select
        subject_no,
        any_value(entry_no) as entry_no,
        any_value(setting_no) as setting_no,
        any_value(measure) as measure,
        count(*) as n_total,
        count(*) filter (null_reason is null) as n_used,
        count(*) filter (null_reason is null and passed) as n_positive,
        count(distinct problem_index) filter (null_reason is null) as n_clusters,
        {% for reason in claimed_score_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
    from scored
    group by subject_no
),

-- as in version 2 of the other views: the rows of a problem share its weight
weighed as (
    select
        subject_no,
        problem_index,
        {{ twelve_digits('score') }} as p,
        passed as y,
        1 / count(*) over (partition by subject_no, problem_index) as w,
    from scored
    where null_reason is null
),

pairs as (
    select
        *,
        {{ weights_below('subject_no') }}
    from weighed
),

{{ ranks_compared('pairs', 'subject_no') }},

bins as (
    select
        subject_no,
        {{ calibration_bin('p') }} as bin,
        {{ calibration_sums() }}
    from pairs
    group by all
),

{{ bin_scores('bins', ['subject_no']) }},

problem_values as (
    select
        subject_no,
        problem_index,
        avg(cast(y as double)) as base_rate,
        avg(p order by p) as mean_score,
        avg(pow(p - cast(y as integer), 2) order by p) as brier,
    from pairs
    group by all
),

{{ mean_interval('problem_values', ['subject_no'], kinds) }},

published as (
    select
        {{ listed(claim_source_columns(), 'entries') }}
        entries.metric,
        settings.setting_id,
        settings.setting,
        subjects.measure,
        {{ listed_with_intervals(kinds, 'scored_bins', 'interval_found') }}
        interval_found.base_rate_interval_null_reason as interval_null_reason,
        scored_bins.brier_reference,
        {{ skill_score(
            'scored_bins.brier', 'scored_bins.brier_reference',
            'subjects.n_positive', 'subjects.n_used'
        ) }} as skill_score,
        scored_bins.ece,
        {{ auroc('ranks_compared') }} as auroc,
        case
            when subjects.n_used = 0 then 'empty'
            when subjects.n_positive in (0, subjects.n_used) then 'single_class'
        end as null_reason,
        scored_bins.n_bins,
        subjects.n_total,
        subjects.n_used,
        subjects.n_positive,
        subjects.n_clusters,
        {% for reason in claimed_score_null_reasons() %}
        subjects.n_null_{{ reason }},
        {% endfor %}
        subjects.n_used < {{ var('low_n') }} as low_n,
        subjects.n_clusters < {{ var('few_clusters') }} as few_clusters,
        'claimed_calibration_v1' as view_version,
    from subjects
    inner join entries on subjects.entry_no = entries.entry_no
    left join settings on subjects.setting_no = settings.setting_no
    left join scored_bins on subjects.subject_no = scored_bins.subject_no
    left join ranks_compared on subjects.subject_no = ranks_compared.subject_no
    left join interval_found on subjects.subject_no = interval_found.subject_no
)

select * from published
