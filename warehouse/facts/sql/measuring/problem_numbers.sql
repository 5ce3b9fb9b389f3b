-- One row per numbered problem.
select
    problem_no,
    problem_id
from intermediate.int_problem_numbered
