with generations as (
    select *
    from {{ ref('stg_generation') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

judged as (
    select *
    from {{ ref('int_generation_judged') }}
),

asked as (
    select
        generations.lm_id,
        generations.setting_id,
        problems.release_no,
        generations.run_id,
    from generations
    inner join problems on generations.problem_id = problems.problem_id
    group by all
),

-- most warehouses have no such thing: nothing else is then joined
asked_again as (
    select
        lm_id,
        setting_id,
        release_no,
    from asked
    group by all
    having count(*) > 1
),

problems_again as (
    select
        asked_again.lm_id,
        asked_again.setting_id,
        problems.problem_id,
    from asked_again
    inner join problems on asked_again.release_no = problems.release_no
),

generations_again as (
    select
        generations.generation_id,
        generations.run_id,
        generations.finish_reason,
        runs.started_at,
    from generations
    semi join problems_again
        on
            generations.lm_id = problems_again.lm_id
            and generations.setting_id = problems_again.setting_id
            and generations.problem_id = problems_again.problem_id
    inner join runs on generations.run_id = runs.run_id
),

samples as (
    select
        entries.entry_no,
        generations_again.run_id,
        generations_again.started_at,
        problems.release_no,
        problems.problem_no,
        problems.problem_index,
        generations_again.generation_id,
        judged.sample_index,
        generations_again.finish_reason,
        judged.n_completion_tokens,
        judged.parses,
        judged.null_reason,
        judged.passed,
        judged.isolation,
        judged.integrity,
    from generations_again
    inner join judged on generations_again.generation_id = judged.generation_id
    inner join problems on judged.problem_no = problems.problem_no
    inner join entries
        on
            judged.lm_no = entries.lm_no
            and judged.setting_no = entries.setting_no
            and problems.release_no = entries.release_no
    where problems.set_aside is null
),

entry_runs as (
    select
        entry_no,
        run_id,
        any_value(started_at) as started_at,
        max(sample_index) as last_index,
    from samples
    group by entry_no, run_id
),

entry_runs_after as (
    select
        *,
        max(last_index) over (
            partition by entry_no
            order by started_at, run_id
            rows between unbounded preceding and 1 preceding
        ) as last_index_before,
    from entry_runs
),

-- a run without a later sample fills gaps of the night before
entry_runs_numbered as (
    select
        *,
        cast(
            count(*) filter (last_index > coalesce(last_index_before, -1)) over (
                partition by entry_no
                order by started_at, run_id
            ) as integer
        ) as night_no,
    from entry_runs_after
),

-- of subjects with one night there is nothing to say
openings as (
    select
        entry_no,
        night_no,
        arg_min(run_id, (started_at, run_id)) as run_id,
        min(started_at) as started_at,
    from entry_runs_numbered
    group by entry_no, night_no
    qualify max(night_no) over (partition by entry_no) > 1
),

samples_of_nights as (
    select
        samples.entry_no,
        openings.night_no,
        openings.run_id,
        openings.started_at,
        samples.release_no,
        samples.problem_no,
        samples.problem_index,
        samples.generation_id,
        samples.sample_index,
        samples.finish_reason,
        samples.n_completion_tokens,
        samples.parses,
        samples.null_reason,
        samples.passed,
        samples.isolation,
        samples.integrity,
    from samples
    inner join entry_runs_numbered
        on
            samples.entry_no = entry_runs_numbered.entry_no
            and samples.run_id = entry_runs_numbered.run_id
    inner join openings
        on
            entry_runs_numbered.entry_no = openings.entry_no
            and entry_runs_numbered.night_no = openings.night_no
)

select * from samples_of_nights
