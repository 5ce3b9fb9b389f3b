with valued as (
    select *
    from {{ ref('int_problem_valued') }}
),

published as (
    select
        entry_no,
        metric,
        k,
        problem_index,
        problem_id,
        task_id,
        value,
        sampling_variance,
        n_samples,
        'problem_values_v1' as view_version,
    from valued
)

select * from published
