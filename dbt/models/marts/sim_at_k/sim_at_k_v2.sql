with problem_values as (
    select *
    from {{ ref('int_problem_similarity') }}
    where version = 2
),

{{ sim_at_k(version=2, measures=['sim', 'csim', 'dpass', 'dpair', 'sim_rescaled']) }}

select * from published
