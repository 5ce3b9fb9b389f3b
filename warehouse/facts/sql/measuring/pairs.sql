-- One row per pair of distinct candidates that one language model gave, under one setting, to one
-- problem, with the releases that hold the problem. A candidate that was given more than once is
-- paired with itself.
with samples as (
    select
        generation.lm_id,
        generation.setting_id,
        problem.release_id,
        evaluation.problem_id,
        evaluation.candidate_id,
        row_number() over (
            partition by generation.lm_id, generation.setting_id, evaluation.problem_id
            order by generation.sample_index, generation.generation_id
        ) as sample_position
    from raw.evaluation as evaluation
    inner join raw.generation as generation
        on evaluation.generation_id = generation.generation_id
    inner join raw.problem as problem on generation.problem_id = problem.problem_id
    inner join raw.setting as setting on generation.setting_id = setting.setting_id
    where setting.task in (select unnest(cast($tasks as varchar[])))
),

candidates as (
    select
        lm_id,
        setting_id,
        problem_id,
        candidate_id,
        list(distinct release_id) as release_ids,
        count(*) as n_samples
    from samples
    where sample_position <= $max_samples
    group by all
),

pairs as (
    select
        firsts.candidate_id as candidate_a,
        seconds.candidate_id as candidate_b,
        min(firsts.problem_id) as problem_id,
        list_distinct(flatten(list(firsts.release_ids))) as release_ids
    from candidates as firsts
    inner join candidates as seconds
        on
            firsts.lm_id = seconds.lm_id
            and firsts.setting_id = seconds.setting_id
            and firsts.problem_id = seconds.problem_id
            and firsts.candidate_id <= seconds.candidate_id
    where firsts.candidate_id < seconds.candidate_id or firsts.n_samples > 1
    group by firsts.candidate_id, seconds.candidate_id
)

select * from pairs
