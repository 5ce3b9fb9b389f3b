-- One row per role, verdict or reason why there is none: how many rows have it.
with why_inputs as (
    {{ rows }}
),

counted as (
    select
        role,
        verdict,
        null_reason,
        count(*) as n,
        count(distinct problem_id) as n_problems
    from why_inputs
    group by role, verdict, null_reason
)

select * from counted
order by role asc, null_reason asc nulls first, n desc, verdict asc
