with runs as (
    select *
    from {{ ref('stg_run') }}
    where kind = 'execute'
),

finishes as (
    select *
    from {{ ref('stg_run_finish') }}
),

outcomes as (
    select *
    from {{ ref('stg_outcome') }}
),

canaries as (
    select *
    from {{ ref('stg_canary') }}
),

outcomes_tallied as (
    select
        run_id,
        count(*) as n_outcomes,
        {% for verdict in verdicts() + ['harness_fault'] %}
        count(*) filter (verdict = '{{ verdict }}') as n_{{ verdict }},
        {% endfor %}
        count(*) filter (attempt > 1) as n_retries,
        count(*) filter (integrity = 'split') as n_split,
        count(*) filter (integrity = 'same_interpreter') as n_same_interpreter,
        {{ words_of('isolation') }} as isolation_levels,
        fsum(cpu_s) as cpu_s,
        max(wall_s) as wall_s_max,
        max(max_rss_kb) as max_rss_kb,
    from outcomes
    group by all
),

canaries_tallied as (
    select
        run_id,
        count(*) as n_canaries,
        count(*) filter (verdict != 'passed') as n_canaries_failed,
    from canaries
    group by all
),

published as (
    select
        runs.run_id,
        runs.started_at,
        finishes.finished_at,
        coalesce(finishes.status, 'cut_off') as status,
        runs.code_version,
        runs.git_commit,
        coalesce(outcomes_tallied.n_outcomes, 0) as n_outcomes,
        {% for verdict in verdicts() + ['harness_fault'] %}
        coalesce(outcomes_tallied.n_{{ verdict }}, 0) as n_{{ verdict }},
        {% endfor %}
        coalesce(outcomes_tallied.n_retries, 0) as n_retries,
        coalesce(outcomes_tallied.n_split, 0) as n_split,
        coalesce(outcomes_tallied.n_same_interpreter, 0) as n_same_interpreter,
        outcomes_tallied.isolation_levels,
        outcomes_tallied.cpu_s,
        outcomes_tallied.wall_s_max,
        outcomes_tallied.max_rss_kb,
        coalesce(canaries_tallied.n_canaries, 0) as n_canaries,
        coalesce(canaries_tallied.n_canaries_failed, 0) as n_canaries_failed,
        'execution_runs_v1' as view_version,
    from runs
    left join finishes on runs.run_id = finishes.run_id
    left join outcomes_tallied on runs.run_id = outcomes_tallied.run_id
    left join canaries_tallied on runs.run_id = canaries_tallied.run_id
)

select * from published
