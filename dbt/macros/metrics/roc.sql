{#- The ROC points of one version: shares of right and of wrong rows scored above each score. Points
    in one cell of a grid count as one; `grid` is its number of steps per axis. The point (1, 1),
    whose threshold is below all scores, is left out. -#}
{% macro roc_points(version, grid=200) %}
with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where version = {{ version }}
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

levels as (
    select
        subject_no,
        p,
        w_right,
        w_wrong,
    from {{ ref('int_calibration_level') }}
),

totals as (
    select
        levels.subject_no,
        max(levels.w_right) as right_total,
        max(levels.w_wrong) as wrong_total,
    from levels
    semi join subjects on levels.subject_no = subjects.subject_no
    group by levels.subject_no
    having max(levels.w_right) > 0 and max(levels.w_wrong) > 0
),

points as (
    select
        levels.subject_no,
        max(levels.p) as threshold,
        any_value(totals.right_total) as right_total,
        any_value(totals.wrong_total) as wrong_total,
        max(levels.w_right) as w_right,
        max(levels.w_wrong) as w_wrong,
    from levels
    inner join totals on levels.subject_no = totals.subject_no
    group by
        levels.subject_no,
        round({{ grid }} * levels.w_right / totals.right_total),
        round({{ grid }} * levels.w_wrong / totals.wrong_total)
),

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        {% if version == 1 %}
        {{ paper_departures('label_groups', 'subjects.measure') }} as paper_departures,
        {% endif %}
        subjects.measure,
        cast(row_number() over (
            partition by points.subject_no
            order by points.threshold desc
        ) as bigint) as point,
        points.threshold,
        1 - points.w_wrong / points.wrong_total as false_share,
        1 - points.w_right / points.right_total as true_share,
        'roc_v{{ version }}' as view_version,
    from points
    inner join subjects on points.subject_no = subjects.subject_no
    inner join label_groups on subjects.group_no = label_groups.group_no
)

select * from published
{% endmacro %}
