-- One row per calibration subject with any rows, and what is known of it.
with known_fits as (
    select
        subject_key,
        input_key,
        list(distinct fold_seed) filter (where fold_seed is not null) as seeds,
        bool_or(fold_seed is null) as has_full
    from raw.calibration_fit
    where rescaler = 'platt'
    group by all
)

select
    subject.subject_no,
    subject.subject_key,
    subject.split_key,
    subject.input_key,
    subject.version,
    subject.n_used,
    subject.n_clusters,
    coalesce(known_fits.seeds, []) as seeds,
    coalesce(known_fits.has_full, false) as has_full
from main.calibration_subjects_v1 as subject
left join known_fits
    on
        subject.subject_key = known_fits.subject_key
        and subject.input_key = known_fits.input_key
where
    subject.n_used > 0
    and ($lm is null or subject.lm = $lm)
    and ($dataset is null or subject.dataset = $dataset)
order by subject.split_key, subject.subject_no
