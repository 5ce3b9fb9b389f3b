-- One row: how many rows are behind a number, and of how many problems.
with why_inputs as (
    {{ rows }}
),

counted as (
    select
        role,
        kind,
        count(*) as n,
        count(distinct problem_id) as n_problems
    from why_inputs
    group by role, kind
)

select * from counted
order by role, kind
