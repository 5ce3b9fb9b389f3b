with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where version = 1
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

bins as (
    select *
    from {{ ref('int_calibration_quantile_binned') }}
),

-- two neighbours each of ten bins make five bins
points as (
    select
        subject_no,
        bin // 2 as bin,
        min(lo) as lo,
        max(hi) as hi,
        cast(sum(n) as bigint) as n,
        sum(wp) / sum(w) as mean_p,
        sum(wy) / sum(w) as frac_correct,
    from bins
    group by subject_no, bin // 2
),

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        {{ paper_departures('label_groups', 'subjects.measure') }} as paper_departures,
        subjects.measure,
        cast(points.bin as bigint) as bin,
        points.lo,
        points.hi,
        points.n,
        points.mean_p,
        points.frac_correct,
        'reliability_points_v1' as view_version,
    from points
    inner join subjects on points.subject_no = subjects.subject_no
    inner join label_groups on subjects.group_no = label_groups.group_no
)

select * from published
