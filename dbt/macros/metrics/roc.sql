{#- The ROC points of one version: shares of right and of wrong rows scored above each score. Points
    that fall into one cell of a grid this fine are one; (1, 1), above no score, is not among them. -#}
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

pairs as (
    select
        subject_no,
        p,
        w_right,
        w_wrong,
    from {{ ref('int_calibration_pair') }}
),

totals as (
    select
        pairs.subject_no,
        max(pairs.w_right) as right_total,
        max(pairs.w_wrong) as wrong_total,
    from pairs
    semi join subjects on pairs.subject_no = subjects.subject_no
    group by pairs.subject_no
    having max(pairs.w_right) > 0 and max(pairs.w_wrong) > 0
),

points as (
    select
        pairs.subject_no,
        max(pairs.p) as threshold,
        any_value(totals.right_total) as right_total,
        any_value(totals.wrong_total) as wrong_total,
        arg_max(pairs.w_right, pairs.p) as w_right,
        arg_max(pairs.w_wrong, pairs.p) as w_wrong,
    from pairs
    inner join totals on pairs.subject_no = totals.subject_no
    group by
        pairs.subject_no,
        round({{ grid }} * pairs.w_right / totals.right_total),
        round({{ grid }} * pairs.w_wrong / totals.wrong_total)
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
