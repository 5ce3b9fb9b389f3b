-- One row per measure and bin, with the measure's scores; version 1 adds bins of equal mass.
with bins as (
    select
        measure,
        {{ "kind" if version >= 2 else "'equal_width'" }} as kind,
        bin,
        lo,
        hi,
        n,
        mean_p,
        frac_correct,
        wilson_lo,
        wilson_hi
    from {{ view }}
    where
        {{ is_of(entry) }}
        and rescaler = 'none'
    {% if version == 1 %}
    union all
    select
        measure,
        'equal_mass' as kind,
        bin,
        lo,
        hi,
        n,
        mean_p,
        frac_correct,
        null as wilson_lo,
        null as wilson_hi
    from reliability_points_v1
    where {{ is_of(entry) }}
    {% endif %}
)

select
    bins.measure,
    bins.kind,
    bins.bin,
    bins.lo,
    bins.hi,
    bins.n,
    bins.mean_p,
    bins.frac_correct,
    bins.wilson_lo,
    bins.wilson_hi,
    subjects.n_used,
    subjects.brier,
    subjects.skill_score,
    subjects.ece
from bins
inner join {{ subjects }} as subjects on bins.measure = subjects.measure
where
    {{ is_of(entry, "subjects.") }}
    and bins.measure in ({{ literals(which_measures) }})
    and subjects.n_used > 0
order by {{ index_of("bins.measure", measures) }}, bins.measure, bins.kind, bins.bin
