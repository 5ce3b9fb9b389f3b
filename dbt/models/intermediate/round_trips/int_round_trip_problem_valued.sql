with
{{ round_trip_problem_values('rtc_synthesis', 2) }}

select
    entry_no,
    similarity,
    problem_index,
    rtc,
    n_programs,
from problem_values
where rtc is not null
