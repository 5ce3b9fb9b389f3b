-- One row per answer of the named subjects: its score and label.
select
    subject_no,
    problem_no,
    p,
    x,
    y,
    w
from intermediate.int_calibration_pair
where subject_no in (select unnest($subjects))
order by subject_no, position
