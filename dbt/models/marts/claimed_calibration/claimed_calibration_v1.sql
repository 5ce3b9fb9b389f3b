{% set kinds = {'base_rate': 'share', 'mean_score': 'share', 'brier': 'share'} %}
{% set estimated = ['skill_score', 'ece', 'auroc'] %}

with entries as (
    select *
    from {{ ref('int_claimed_entry') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

subjects as (
    select *
    from {{ ref('int_claimed_subject') }}
),

scored as (
    select *
    from {{ ref('int_claimed_scored') }}
    where null_reason is null
),

{{ newest_estimates() }},

estimates as (
    select
        subject_no,
        {% for statistic in estimated %}
        any_value(low) filter (statistic = '{{ statistic }}') as {{ statistic }}_lo,
        any_value(high) filter (statistic = '{{ statistic }}') as {{ statistic }}_hi,
        any_value(null_reason) filter (statistic = '{{ statistic }}')
            as {{ statistic }}_null_reason,
        {% endfor %}
        any_value(method) filter (statistic = 'ece') as interval_method,
        any_value(n_replicates) filter (statistic = 'ece') as n_replicates,
        any_value(seed) filter (statistic = 'ece') as seed,
    from newest
    group by subject_no
),

pairs as (
    select
        subject_no,
        problem_index,
        p,
        y,
        w,
    from scored
),

{{ score_levels() }},

{{ ranks_compared() }},

bins as (
    select
        subject_no,
        {{ calibration_bin('p') }} as bin,
        {{ calibration_level_sums() }}
    from levels
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

measured as (
    select
        subjects.*,
        {{ listed_with_intervals(kinds, 'scored_bins', 'interval_found') }}
        interval_found.base_rate_interval_null_reason as interval_null_reason,
        scored_bins.brier_reference,
        {{ skill_score(
            'scored_bins.brier', 'scored_bins.brier_reference',
            'subjects.n_positive', 'subjects.n_used'
        ) }} as skill_score,
        scored_bins.ece,
        {{ auroc('ranks_compared') }} as auroc,
        scored_bins.n_bins,
    from subjects
    left join scored_bins on subjects.subject_no = scored_bins.subject_no
    left join ranks_compared on subjects.subject_no = ranks_compared.subject_no
    left join interval_found on subjects.subject_no = interval_found.subject_no
),

published as (
    select
        {{ listed(claim_source_columns(), 'entries') }}
        entries.metric,
        settings.setting_id,
        settings.setting,
        measured.measure,
        measured.subject_key,
        measured.input_key,
        {{ listed_with_intervals(kinds, 'measured', 'measured') }}
        measured.interval_null_reason,
        measured.brier_reference,
        {{ listed_with_intervals(estimated, 'measured', 'estimates') }}
        {{ interval_reasons(estimated, 'measured', 'estimates') }}
        estimates.interval_method,
        cast(estimates.n_replicates as bigint) as n_replicates,
        cast(estimates.seed as bigint) as seed,
        case
            when measured.n_used = 0 then 'empty'
            when measured.n_positive in (0, measured.n_used) then 'single_class'
        end as null_reason,
        measured.n_bins,
        measured.n_total,
        measured.n_used,
        measured.n_positive,
        measured.n_clusters,
        {% for reason in claimed_score_null_reasons() %}
        measured.n_null_{{ reason }},
        {% endfor %}
        measured.n_used < {{ var('low_n') }} as low_n,
        measured.n_clusters < {{ var('few_clusters') }} as few_clusters,
        'claimed_calibration_v1' as view_version,
    from measured
    inner join entries on measured.entry_no = entries.entry_no
    left join settings on measured.setting_no = settings.setting_no
    left join estimates on measured.subject_no = estimates.subject_no
)

select * from published
