with samples as (
    select *
    from {{ ref('int_sample_ordered') }}
    where sample_position = 1
),

-- the first sample of a problem, and that of the next problem with one
next_problems as (
    select
        entry_no,
        problem_index,
        candidate_no,
        lead(candidate_no) over (
            partition by entry_no
            order by problem_index
        ) as next_candidate_no,
    from samples
),

between_problems as (
    select
        entry_no,
        problem_index,
        least(candidate_no, next_candidate_no) as candidate_no_a,
        greatest(candidate_no, next_candidate_no) as candidate_no_b,
    from next_problems
    where next_candidate_no is not null
)

select * from between_problems
