with problem_values as (
    select *
    from {{ ref('int_problem_similarity') }}
    where version = 1
),

{{ sim_at_k(version=1, measures=['sim', 'csim', 'dpass']) }}

select * from published
