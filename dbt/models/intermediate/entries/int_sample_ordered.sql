with generations as (
    select *
    from {{ ref('int_generation_judged') }}
    where verdict is not null
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

generations_entered as (
    select
        entries.entry_no,
        cast(problems.problem_index as integer) as problem_index,
        generations.sample_index,
        generations.generation_id,
        {{ number_of('generations.candidate_id') }} as candidate_no,
        generations.passed,
    from generations
    inner join problems on generations.problem_no = problems.problem_no
    inner join entries
        on
            generations.lm_no = entries.lm_no
            and generations.setting_no = entries.setting_no
            and problems.release_no = entries.release_no
),

ordered as (
    select
        entry_no,
        problem_index,
        candidate_no,
        passed,
        cast(
            row_number() over (
                partition by entry_no, problem_index
                order by sample_index, generation_id
            ) as integer
        ) as sample_position,
    from generations_entered
)

select * from ordered
