-- One row per program of a real project without a verdict, by project, limits, file and problem.
select
    program.program_id,
    program.problem_id,
    problem.dataset,
    problem.tests_key,
    project_problem.project_release_id,
    project_problem.path,
    admission.cpu_limit_s,
    admission.wall_limit_s,
    admission.memory_limit_mb,
    due.next_attempt
from raw.program as program
inner join facts.programs_due($policy, $judge_version, $project_judge_version) as due
    on program.program_id = due.program_id
inner join raw.admission as admission on program.admission_id = admission.admission_id
inner join raw.problem as problem on program.problem_id = problem.problem_id
inner join raw.project_problem as project_problem
    on program.problem_id = project_problem.problem_id
where
    due.over_projects
    and ($dataset is null or problem.dataset = $dataset)
order by
    project_problem.project_release_id,
    problem.tests_key,
    admission.cpu_limit_s,
    admission.wall_limit_s,
    admission.memory_limit_mb,
    project_problem.path,
    problem.dataset,
    problem.position,
    program.problem_id,
    program.program_id
limit $most
