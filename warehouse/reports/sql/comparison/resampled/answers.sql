-- One row per answer of some calibration subjects: its score and label.
select
    subject_no,
    problem_id,
    p,
    y,
    w
from calibration_pairs_v1
where subject_no in ({{ subjects | join(", ") }})
order by subject_no, position
