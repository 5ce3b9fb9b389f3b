-- One row per problem of both entries: their values, verdicts and generations.
with compared as (
    select distinct
        dataset,
        release_id,
        metric,
        k,
        lm_id_a,
        lm_id_b,
        setting_id_a,
        setting_id_b,
        forward_lm_id_a,
        forward_lm_id_b,
        forward_setting_id_a,
        forward_setting_id_b
    from (
        {{ rows }}
    )
),

answers as (
    select
        release_id,
        lm_id,
        setting_id,
        problem_id,
        count(*) filter (where verdict = 'passed') as n_passed,
        count(verdict) as n_scored,
        list(verdict order by sample_index) as verdicts,
        list(generation_id order by sample_index) as generation_ids
    from generation_verdicts_v1
    where set_aside is null
    group by all
),

problems as (
    select
        entries.release_id,
        entries.lm_id,
        entries.setting_id,
        entries.forward_lm_id,
        entries.forward_setting_id,
        problem_values.metric,
        problem_values.k,
        problem_values.problem_id,
        problem_values.task_id,
        problem_values.value,
        answers.n_passed,
        answers.n_scored,
        answers.generation_ids,
        if(answers.n_scored = 1, answers.verdicts[1], null) as verdict
    from problem_values_v1 as problem_values
    inner join compared_entries_v1 as entries on problem_values.entry_no = entries.entry_no
    left join answers
        on
            entries.release_id = answers.release_id
            and entries.lm_id = answers.lm_id
            and entries.setting_id = answers.setting_id
            and problem_values.problem_id = answers.problem_id
)

select
    compared.*,
    a.task_id,
    a.value as value_a,
    b.value as value_b,
    a.value - b.value as difference,
    a.n_passed as n_passed_a,
    a.n_scored as n_a,
    b.n_passed as n_passed_b,
    b.n_scored as n_b,
    a.verdict as verdict_a,
    b.verdict as verdict_b,
    a.generation_ids as generation_ids_a,
    b.generation_ids as generation_ids_b
from compared
inner join problems as a
    on
        {{ is_at("a") }}
inner join problems as b
    on
        {{ is_at("b") }}
where a.problem_id = b.problem_id
