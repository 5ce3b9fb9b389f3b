-- One row per pair of candidates to compare, with the releases that hold their problem. They are
-- distinct candidates that one language model gave, under one setting, to one problem. Pairs are
-- also a candidate that was given more than once, with itself, and the first candidate of a problem
-- with that of the next. Datasets in other languages than Python are left out.
-- A sample that is judged several times, such as under other limits, is one sample.
with samples as (
    select distinct
        generation.lm_id,
        generation.setting_id,
        problem.release_id,
        evaluation.problem_id,
        evaluation.candidate_id,
        judged.release_id as judged_release_id,
        judged.position,
        evaluation.generation_id,
        dense_rank() over (
            partition by generation.lm_id, generation.setting_id, evaluation.problem_id
            order by generation.sample_index, generation.generation_id
        ) as sample_position
    from raw.evaluation as evaluation
    inner join raw.generation as generation
        on evaluation.generation_id = generation.generation_id
    inner join raw.problem as problem on generation.problem_id = problem.problem_id
    inner join raw.problem as judged on evaluation.problem_id = judged.problem_id
    inner join raw.setting as setting on generation.setting_id = setting.setting_id
    where
        setting.task in (select unnest(cast($tasks as varchar[])))
        and judged.dataset not in (select unnest(cast($left_out as varchar[])))
),

candidates as (
    select
        lm_id,
        setting_id,
        problem_id,
        candidate_id,
        list(distinct release_id) as release_ids,
        count(distinct generation_id) as n_samples
    from samples
    where sample_position <= $max_samples
    group by all
),

pairs_within as (
    select
        firsts.candidate_id as candidate_a,
        seconds.candidate_id as candidate_b,
        firsts.problem_id,
        firsts.release_ids
    from candidates as firsts
    inner join candidates as seconds
        on
            firsts.lm_id = seconds.lm_id
            and firsts.setting_id = seconds.setting_id
            and firsts.problem_id = seconds.problem_id
            and firsts.candidate_id <= seconds.candidate_id
    where firsts.candidate_id < seconds.candidate_id or firsts.n_samples > 1
),

next_problems as (
    select
        problem_id,
        release_id,
        candidate_id,
        lead(candidate_id) over (
            partition by lm_id, setting_id, judged_release_id
            order by position, problem_id
        ) as next_candidate_id
    from samples
    where sample_position = 1
),

pairs_found as (
    select *
    from pairs_within
    union all
    select
        least(candidate_id, next_candidate_id) as candidate_a,
        greatest(candidate_id, next_candidate_id) as candidate_b,
        problem_id,
        [release_id] as release_ids
    from next_problems
    where next_candidate_id is not null
),

pairs as (
    select
        candidate_a,
        candidate_b,
        min(problem_id) as problem_id,
        list_distinct(flatten(list(release_ids))) as release_ids
    from pairs_found
    group by candidate_a, candidate_b
)

select * from pairs
