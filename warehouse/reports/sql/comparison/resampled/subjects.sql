-- One row per notion and measure of confidence that two entries have both: what is resampled.
with scored as (
    select
        entries.entry_no,
        entries.lm_id,
        entries.setting_id,
        entries.release_id,
        if(subjects.notion = 'all_pass', '', subjects.notion || '_') || subjects.measure as measure,
        subjects.subject_no,
        subjects.n_clusters
    from compared_entries_v1 as entries
    inner join calibration_subjects_v1 as subjects
        on
            entries.lm_id = subjects.lm_id
            and entries.setting_id = subjects.setting_id
            and entries.release_id = subjects.release_id
    where
        entries.forward_lm_id is null
        and subjects.version = 2
        and subjects.n_used > 0
)

select
    a.entry_no as entry_a,
    b.entry_no as entry_b,
    a.measure,
    a.subject_no as subject_no_a,
    b.subject_no as subject_no_b,
    a.n_clusters as n_problems_a,
    b.n_clusters as n_problems_b
from scored as a
inner join scored as b
    on
        a.release_id = b.release_id
        and a.measure = b.measure
where
    a.lm_id = {{ literal(lm_id) }}
    and b.lm_id = {{ literal(other_lm_id) }}
    and (a.setting_id, b.setting_id) in (
        {% for pair in settings %}
        ({{ literals(pair) }}){{ "," if not loop.last }}
        {% endfor %}
    )
order by all
