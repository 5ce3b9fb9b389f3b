{% set keys = ['release_no', 'simulated', 'problem_index'] %}

with headlines as (
    select entries.*
    from {{ ref('int_entry_numbered') }} as entries
    inner join {{ ref('headline_setting', v=1) }} as shown
        on
            entries.lm_id = shown.lm_id
            and entries.dataset = shown.dataset
            and entries.setting_id = shown.setting_id
    where
        shown.family = 'leaderboard'
        and shown.rank = 1
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

answers as (
    select
        headlines.release_no,
        headlines.simulated,
        headlines.lm_id,
        trim(headlines.lm || ' ' || headlines.revision) as lm,
        tallies.problem_index,
        tallies.n_scored,
        tallies.n_passed,
        tallies.n_passed / tallies.n_scored as pass_at_1,
    from headlines
    inner join {{ ref('int_problem_tallied') }} as tallies
        on
            headlines.lm_no = tallies.lm_no
            and headlines.setting_no = tallies.setting_no
            and headlines.release_no = tallies.release_no
    where
        not headlines.resampled
        and tallies.set_aside is null
        and tallies.n_scored > 0
),

lm_totals as (
    select
        release_no,
        lm_id,
        sum(pass_at_1 order by problem_index) as pass_at_1_total,
        count(*) as n_problems,
    from answers
    group by release_no, lm_id
),

-- how good the language model is on all other problems
beside_rest as (
    select
        answers.*,
        if(
            lm_totals.n_problems > 1,
            (lm_totals.pass_at_1_total - answers.pass_at_1) / (lm_totals.n_problems - 1),
            null
        ) as rest,
    from answers
    inner join lm_totals
        on
            answers.release_no = lm_totals.release_no
            and answers.lm_id = lm_totals.lm_id
),

described as (
    select
        {{ listed(keys) }}
        count(*) as n_lms,
        count(*) filter (n_passed > 0) as n_lms_solving,
        cast(sum(n_scored) as bigint) as n_samples,
        cast(sum(n_passed) as bigint) as n_samples_passed,
        avg(pass_at_1 order by lm_id) as pass_at_1,
        string_agg(lm, ', ' order by pass_at_1 desc, lm asc, lm_id asc) filter (n_passed > 0)
            as solved_by,
        count(rest) as n_rests,
        max(pass_at_1) - min(pass_at_1) as pass_range,
        max(rest) - min(rest) as rest_range,
        {{ pearson('pass_at_1', 'rest') }} as item_rest_correlation,
    from beside_rest
    group by {{ keys | join(', ') }}
),

reasoned as (
    select
        *,
        case
            when n_rests < n_lms then 'one_problem'
            when n_lms < {{ var('least_lms') }} then 'lms_lt_min'
            when pass_range <= 1e-9 then 'no_difference'
            when rest_range <= 1e-9 then 'rest_is_equal'
        end as discrimination_null_reason,
    from described
),

published as (
    select
        problems.dataset,
        problems.dataset_version,
        problems.release_id,
        problems.problem_id,
        problems.task_id,
        reasoned.simulated,
        reasoned.n_lms,
        reasoned.n_lms_solving,
        reasoned.solved_by,
        reasoned.n_samples,
        reasoned.n_samples_passed,
        reasoned.pass_at_1,
        1 - reasoned.pass_at_1 as difficulty,
        if(reasoned.discrimination_null_reason is null, reasoned.item_rest_correlation, null)
            as discrimination,
        reasoned.discrimination_null_reason,
        'problem_difficulty_v1' as view_version,
    from reasoned
    inner join problems
        on
            reasoned.release_no = problems.release_no
            and reasoned.problem_index = problems.problem_index
)

select * from published
