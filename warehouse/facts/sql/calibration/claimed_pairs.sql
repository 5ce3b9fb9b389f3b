-- One row per claim that counts of the named subjects: its score and claimed verdict. Tasks are in
-- order of their names, whatever else is asked for, so that each subject is resampled alike.
select
    list_position($subjects, subject_key) as subject_no,
    task_id as problem_id,
    p,
    y,
    w
from main.claimed_pairs_v1
where subject_key in (select unnest($subjects))
order by
    task_id,
    claim_id,
    subject_key
