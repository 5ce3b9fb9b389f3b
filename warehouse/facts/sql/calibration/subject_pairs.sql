-- One row per answer of the named subjects: its score and label.
select
    subject_no,
    problem_id,
    p,
    x,
    y,
    w
from main.calibration_pairs_v1
where subject_no in (select unnest($subjects))
order by subject_no, position
