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
        candidate_id,
        lead(candidate_id) over (
            partition by entry_no
            order by problem_index
        ) as next_candidate_id,
    from samples
),

between_problems as (
    select
        entry_no,
        problem_index,
        least(candidate_id, next_candidate_id) as candidate_a,
        greatest(candidate_id, next_candidate_id) as candidate_b,
    from next_problems
    where next_candidate_id is not null
)

select * from between_problems
