{% set notions = ['all_pass', 'exact_match'] %}
{% set statistics = ['base_rate', 'brier', 'skill_score', 'ece', 'auroc'] %}

with raw_measured as (
    select
        *,
        'none' as rescaler,
    from {{ ref('calibration_raw', v=1) }}
),

scaled_measured as (
    select *
    from {{ ref('calibration_scaled', v=1) }}
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

labels as (
    select
        group_no,
        generation_no,
        problem_no,
        y_v1,
    from {{ ref('int_calibration_scored') }}
    where y_v1 is not null
),

measured as (
    {% for part in ['raw_measured', 'scaled_measured'] %}
    {{ 'union all' if not loop.first }}
    select
        {{ listed(calibration_entry_columns()) }}
        paper_departures,
        measure,
        rescaler,
        {% for statistic in statistics %}
        {{ statistic }},
        {{ statistic }}_lo,
        {{ statistic }}_hi,
        {{ statistic }}_interval_null_reason,
        {% endfor %}
        n_total,
        n_used,
        n_positive,
        null_reason,
    from {{ part }}
    {% endfor %}
),

-- by one notion, by the other, by both and by neither, of the generations that have both labels
agreements as (
    select
        passes.lm_id,
        passes.setting_id,
        passes.release_id,
        count(*) as n_both_labels,
        count(*) filter (pass_labels.y_v1 and match_labels.y_v1) as n_pass_and_match,
        count(*) filter (pass_labels.y_v1 and not match_labels.y_v1) as n_pass_only,
        count(*) filter (match_labels.y_v1 and not pass_labels.y_v1) as n_match_only,
        count(*) filter (not pass_labels.y_v1 and not match_labels.y_v1) as n_neither,
    from label_groups as passes
    inner join label_groups as matches
        on
            passes.lm_id = matches.lm_id
            and passes.setting_id = matches.setting_id
            and passes.release_id = matches.release_id
    inner join labels as pass_labels on passes.group_no = pass_labels.group_no
    inner join labels as match_labels
        on
            matches.group_no = match_labels.group_no
            and pass_labels.generation_no = match_labels.generation_no
            and pass_labels.problem_no = match_labels.problem_no
    where
        passes.notion = 'all_pass'
        and matches.notion = 'exact_match'
    group by all
),

side_by_side as (
    select
        {{ listed(entry_columns()) }}
        {{ all_paper_departures() }} as paper_departures,
        measure,
        rescaler,
        {% for notion in notions %}
        {% for statistic in statistics %}
        any_value({{ statistic }}) filter (notion = '{{ notion }}') as {{ notion }}_{{ statistic }},
        any_value({{ statistic }}_lo) filter (notion = '{{ notion }}')
            as {{ notion }}_{{ statistic }}_lo,
        any_value({{ statistic }}_hi) filter (notion = '{{ notion }}')
            as {{ notion }}_{{ statistic }}_hi,
        any_value({{ statistic }}_interval_null_reason) filter (notion = '{{ notion }}')
            as {{ notion }}_{{ statistic }}_interval_null_reason,
        {% endfor %}
        any_value(n_total) filter (notion = '{{ notion }}') as {{ notion }}_n_total,
        any_value(n_used) filter (notion = '{{ notion }}') as {{ notion }}_n_used,
        any_value(n_positive) filter (notion = '{{ notion }}') as {{ notion }}_n_positive,
        if(
            count(*) filter (notion = '{{ notion }}') = 0,
            'not_applicable',
            any_value(null_reason) filter (notion = '{{ notion }}')
        ) as {{ notion }}_null_reason,
        {% endfor %}
    from measured
    group by all
),

published as (
    select
        {{ listed(entry_columns(), 'side_by_side') }}
        side_by_side.paper_departures,
        side_by_side.measure,
        side_by_side.rescaler,
        {% for notion in notions %}
        {% for statistic in statistics %}
        side_by_side.{{ notion }}_{{ statistic }},
        side_by_side.{{ notion }}_{{ statistic }}_lo,
        side_by_side.{{ notion }}_{{ statistic }}_hi,
        side_by_side.{{ notion }}_{{ statistic }}_interval_null_reason,
        {% endfor %}
        side_by_side.{{ notion }}_n_total,
        side_by_side.{{ notion }}_n_used,
        side_by_side.{{ notion }}_n_positive,
        side_by_side.{{ notion }}_null_reason,
        {% endfor %}
        side_by_side.all_pass_brier - side_by_side.exact_match_brier as brier_difference,
        side_by_side.all_pass_skill_score
        - side_by_side.exact_match_skill_score as skill_score_difference,
        side_by_side.all_pass_ece - side_by_side.exact_match_ece as ece_difference,
        side_by_side.all_pass_auroc - side_by_side.exact_match_auroc as auroc_difference,
        coalesce(agreements.n_both_labels, 0) as n_both_labels,
        coalesce(agreements.n_pass_and_match, 0) as n_pass_and_match,
        coalesce(agreements.n_pass_only, 0) as n_pass_only,
        coalesce(agreements.n_match_only, 0) as n_match_only,
        coalesce(agreements.n_neither, 0) as n_neither,
        'calibration_by_correctness_v1' as view_version,
    from side_by_side
    left join agreements
        on
            side_by_side.lm_id = agreements.lm_id
            and side_by_side.setting_id = agreements.setting_id
            and side_by_side.release_id = agreements.release_id
)

select * from published
