-- 24: the view of judged programs has their candidate and admission too, so that no view looks up
-- each program once more; and attempts are chosen before anything is joined to them.
-- The attempt that a program is judged by: its latest that counts; where none counts, its latest,
-- and why it does not (null_reason). An attempt counts when it is no harness fault, of a run whose
-- canary passed. A program that was never tried has no attempt.
create or replace view facts.program_judged as
with canary_passed as (
    select
        run_id,
        problem_id
    from raw.canary
    where verdict = 'passed'
),

tried_again as (
    select distinct program_id
    from raw.outcome
    where attempt > 1
),

-- few programs are tried again: only their attempts are sorted
programs_again as (
    select
        program.program_id,
        program.problem_id
    from raw.program as program
    semi join tried_again on program.program_id = tried_again.program_id
),

outcomes_again as (
    select outcome.*
    from raw.outcome as outcome
    semi join tried_again on outcome.program_id = tried_again.program_id
),

latest as (
    select outcomes_again.*
    from outcomes_again
    inner join programs_again on outcomes_again.program_id = programs_again.program_id
    left join canary_passed
        on
            outcomes_again.run_id = canary_passed.run_id
            and programs_again.problem_id = canary_passed.problem_id
    qualify row_number() over (
        partition by outcomes_again.program_id
        order by
            outcomes_again.verdict <> 'harness_fault' and canary_passed.run_id is not null desc,
            outcomes_again.attempt desc
    ) = 1
),

outcomes as (
    select outcome.*
    from raw.outcome as outcome
    anti join tried_again on outcome.program_id = tried_again.program_id
    union all
    select *
    from latest
)

select
    program.program_id,
    program.candidate_id,
    program.admission_id,
    outcomes.attempt,
    outcomes.verdict,
    outcomes.why_ended,
    case
        when outcomes.attempt is null then 'not_executed'
        when outcomes.verdict = 'harness_fault' then 'harness_fault'
        when canary_passed.run_id is null then 'canary_failed'
    end as null_reason,
    outcomes.n_tests,
    outcomes.n_passed,
    outcomes.cpu_s,
    outcomes.test_cpu_s,
    outcomes.isolation,
    outcomes.integrity,
    outcomes.alone,
    outcomes.run_id
from raw.program as program
left join outcomes on program.program_id = outcomes.program_id
left join canary_passed
    on
        outcomes.run_id = canary_passed.run_id
        and program.problem_id = canary_passed.problem_id;
