-- One row per measure and point of a curve, from the highest threshold.
select
    points.measure,
    points.threshold,
    points.false_share,
    points.true_share,
    subjects.auroc
from {{ view }} as points
inner join {{ subjects }} as subjects on points.measure = subjects.measure
where
    {{ is_of(entry, "points.") }}
    and {{ is_of(entry, "subjects.") }}
    and points.measure in ({{ literals(which_measures) }})
order by {{ index_of("points.measure", measures) }}, points.measure, points.point
