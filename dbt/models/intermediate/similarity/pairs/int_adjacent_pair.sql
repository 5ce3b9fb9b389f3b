with samples as (
    select *
    from {{ ref('int_sample_ordered') }}
),

-- disjoint pairs of neighbours: first and second, third and fourth; an odd one is left over
sample_pairs as (
    select
        entry_no,
        problem_index,
        false as is_passing,
        sample_position as pair_position,
        candidate_no as second_no,
        lag(candidate_no) over (
            partition by entry_no, problem_index
            order by sample_position
        ) as first_no,
    from samples
    qualify sample_position % 2 = 0
),

passing_pairs as (
    select
        entry_no,
        problem_index,
        true as is_passing,
        sample_position as pair_position,
        candidate_no as second_no,
        lag(candidate_no) over (
            partition by entry_no, problem_index
            order by sample_position
        ) as first_no,
    from samples
    where passed
    qualify row_number() over (
        partition by entry_no, problem_index
        order by sample_position
    ) % 2 = 0
),

pairs as (
    select * from sample_pairs
    union all
    select * from passing_pairs
),

neighbours as (
    select
        entry_no,
        problem_index,
        is_passing,
        pair_position,
        least(first_no, second_no) as candidate_no_a,
        greatest(first_no, second_no) as candidate_no_b,
    from pairs
)

select * from neighbours
