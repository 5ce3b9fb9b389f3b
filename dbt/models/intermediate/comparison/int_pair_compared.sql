with entries as (
    select *
    from {{ ref('int_compared_entry') }}
),

problem_values as (
    select *
    from {{ ref('int_problem_valued') }}
),

-- each pair is measured once
pairs as (
    select
        row_number() over (order by entry_a, entry_b) as pair_no,
        entry_a,
        entry_b,
    from {{ ref('int_entry_paired') }}
    group by entry_a, entry_b
),

{{ pairs_measured(ref('int_sign_flipped')) }}

select * from measured_pairs
