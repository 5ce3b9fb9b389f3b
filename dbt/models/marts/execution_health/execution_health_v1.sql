{% set ends = [
    'exit', 'signal', 'cpu', 'wall', 'protocol', 'judge', 'refused', 'sandbox',
] %}

with entries as (
    select
        entry_no,
        lm_no,
        setting_no,
        release_no,
        {{ listed(entry_columns()) }}
        n_dataset,
        n_problems,
    from {{ ref('int_entry_numbered') }}
),

problems as (
    select
        problem_no,
        release_no,
    from {{ ref('int_problem_numbered') }}
),

generations as (
    select
        lm_no,
        setting_no,
        problem_no,
        candidate_id,
        parses,
        null_reason,
        verdict,
        cpu_s,
        cpu_share,
        why_ended,
        isolation,
        integrity,
    from {{ ref('int_generation_judged') }}
),

candidates as (
    select
        lm_no,
        setting_no,
        problem_no,
        candidate_id,
        count(*) as n_generations,
    from generations
    where candidate_id is not null
    group by all
),

programs as (
    select
        candidates.lm_no,
        candidates.setting_no,
        problems.release_no,
        count(*) as n_programs,
        sum(candidates.n_generations) as n_evaluated,
    from candidates
    inner join problems on candidates.problem_no = problems.problem_no
    group by all
),

tallied as (
    select
        generations.lm_no,
        generations.setting_no,
        problems.release_no,
        count(*) as n_generations,
        count(generations.verdict) as n_scored,
        {% for verdict in verdicts() %}
        count(*) filter (generations.verdict = '{{ verdict }}') as n_{{ verdict }},
        {% endfor %}
        {% for reason in program_null_reasons() %}
        count(*) filter (generations.null_reason = '{{ reason }}') as n_{{ reason }},
        {% endfor %}
        {% for end in ends %}
        count(*) filter (generations.why_ended = '{{ end }}') as n_ended_{{ end }},
        {% endfor %}
        count(*) filter (generations.verdict = 'passed' and generations.cpu_share > 0.5)
            as n_passed_near_limit,
        count(generations.parses) as n_parse_known,
        count(*) filter (generations.parses) as n_parsed,
        count(*) filter (generations.integrity = 'split') as n_split,
        count(*) filter (generations.integrity = 'same_interpreter') as n_same_interpreter,
        {{ words_of('generations.isolation') }} as isolation_levels,
        quantile_cont(generations.cpu_s, [0.5, 0.9, 0.99, 1.0]) as cpu_quantiles,
    from generations
    inner join problems on generations.problem_no = problems.problem_no
    group by all
),

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        entries.n_dataset,
        entries.n_problems,
        tallied.n_generations,
        tallied.n_scored,
        {% for verdict in verdicts() %}
        tallied.n_{{ verdict }},
        {% endfor %}
        tallied.n_not_executed,
        tallied.n_harness_fault,
        tallied.n_canary_failed,
        {% for end in ends %}
        tallied.n_ended_{{ end }},
        {% endfor %}
        tallied.n_passed_near_limit,
        tallied.n_parse_known,
        tallied.n_parsed,
        tallied.n_parsed / nullif(tallied.n_parse_known, 0) as parse_rate,
        tallied.n_split,
        tallied.n_same_interpreter,
        tallied.n_split / nullif(tallied.n_scored, 0) as split_share,
        tallied.isolation_levels,
        tallied.cpu_quantiles[1] as cpu_s_p50,
        tallied.cpu_quantiles[2] as cpu_s_p90,
        tallied.cpu_quantiles[3] as cpu_s_p99,
        tallied.cpu_quantiles[4] as cpu_s_max,
        coalesce(programs.n_programs, 0) as n_programs,
        cast(coalesce(programs.n_evaluated, 0) as bigint) as n_evaluated,
        programs.n_evaluated / programs.n_programs as generations_per_program,
        'execution_health_v1' as view_version,
    from entries
    inner join tallied
        on
            entries.lm_no = tallied.lm_no
            and entries.setting_no = tallied.setting_no
            and entries.release_no = tallied.release_no
    left join programs
        on
            entries.lm_no = programs.lm_no
            and entries.setting_no = programs.setting_no
            and entries.release_no = programs.release_no
)

select * from published
