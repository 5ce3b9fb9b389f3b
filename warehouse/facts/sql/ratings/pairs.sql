-- One row per pair of candidates that a judge may be asked about, with a generation that gave the
-- first of them. Samples are those that the view sim_at_k compares. They are whole functions with a
-- verdict, of one language model, setting and problem, in the order of their numbers. With
-- $neighbours the pairs are the paper's, disjoint neighbours among all samples and among right
-- ones; else all pairs. A candidate that was given more than once is paired with itself.
with judged as (
    select
        evaluation.generation_id,
        evaluation.problem_id,
        evaluation.candidate_id,
        settled.verdict = 'passed' as passed
    from raw.evaluation as evaluation
    inner join raw.program as program on evaluation.program_id = program.program_id
    inner join raw.admission as admission on program.admission_id = admission.admission_id
    inner join raw.run as run on evaluation.run_id = run.run_id
    left join facts.program_settled as settled on evaluation.program_id = settled.program_id
    -- as the views: under the calibrated policy if there is one, then the newest
    qualify row_number() over (
        partition by evaluation.generation_id, evaluation.problem_id
        order by
            admission.policy = 'calibrated' desc,
            run.started_at desc,
            evaluation.program_id desc
    ) = 1
),

samples as (
    select
        generation.lm_id,
        generation.setting_id,
        judged.problem_id,
        judged.candidate_id,
        judged.passed,
        generation.generation_id,
        generation.variant_id,
        row_number() over (
            partition by generation.lm_id, generation.setting_id, judged.problem_id
            order by generation.sample_index, generation.generation_id
        ) as sample_position
    from judged
    inner join raw.generation as generation on judged.generation_id = generation.generation_id
    inner join raw.setting as setting on generation.setting_id = setting.setting_id
    inner join raw.language_model as language_model on generation.lm_id = language_model.lm_id
    inner join raw.problem as problem on judged.problem_id = problem.problem_id
    where
        judged.passed is not null
        and setting.task in (select unnest(cast($tasks as varchar[])))
        and ($dataset is null or problem.dataset = $dataset)
        and ($answered_by is null or language_model.lm = $answered_by)
),

firsts as (
    select
        *,
        row_number() over (
            partition by lm_id, setting_id, problem_id, passed
            order by sample_position
        ) as position_among_right
    from samples
    where sample_position <= $max_samples
),

sample_pairs as (
    select
        ones.problem_id,
        ones.candidate_id as one,
        others.candidate_id as other
    from firsts as ones
    inner join firsts as others
        on
            ones.lm_id = others.lm_id
            and ones.setting_id = others.setting_id
            and ones.problem_id = others.problem_id
            and ones.sample_position < others.sample_position
    where
        not $neighbours
        or (others.sample_position % 2 = 0 and ones.sample_position = others.sample_position - 1)
        or (
            ones.passed
            and others.passed
            and others.position_among_right % 2 = 0
            and ones.position_among_right = others.position_among_right - 1
        )
),

pairs as (
    select
        least(one, other) as candidate_a,
        greatest(one, other) as candidate_b,
        min(problem_id) as problem_id
    from sample_pairs
    group by all
),

given as (
    select
        candidate_id,
        problem_id,
        min(generation_id) as generation_id,
        arg_min(variant_id, generation_id) as variant_id
    from firsts
    group by all
)

select
    pairs.candidate_a,
    pairs.candidate_b,
    pairs.problem_id,
    given.generation_id,
    given.variant_id
from pairs
inner join given
    on
        pairs.candidate_a = given.candidate_id
        and pairs.problem_id = given.problem_id
