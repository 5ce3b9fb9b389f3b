-- 23: the view of judged programs has the attempt's results, and sorts only programs tried again.
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

tried as (
    select
        program.program_id,
        outcome.attempt,
        outcome.verdict,
        outcome.why_ended,
        case
            when outcome.attempt is null then 'not_executed'
            when outcome.verdict = 'harness_fault' then 'harness_fault'
            when canary_passed.run_id is null then 'canary_failed'
        end as null_reason,
        outcome.n_tests,
        outcome.n_passed,
        outcome.cpu_s,
        outcome.test_cpu_s,
        outcome.isolation,
        outcome.integrity,
        outcome.alone,
        outcome.run_id
    from raw.program as program
    left join raw.outcome as outcome on program.program_id = outcome.program_id
    left join canary_passed
        on
            outcome.run_id = canary_passed.run_id
            and program.problem_id = canary_passed.problem_id
),

tried_again as (
    select distinct program_id
    from raw.outcome
    where attempt > 1
),

latest as (
    select tried.*
    from tried
    semi join tried_again on tried.program_id = tried_again.program_id
    qualify row_number() over (
        partition by tried.program_id
        order by tried.null_reason is null desc, tried.attempt desc
    ) = 1
)

select tried.*
from tried
anti join tried_again on tried.program_id = tried_again.program_id
union all
select *
from latest;
