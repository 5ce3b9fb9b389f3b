with generations as (
    select
        generation_id,
        lm_id,
        setting_id,
        problem_id,
        parent_generation_id,
        finish_reason,
        n_prompt_tokens,
        n_completion_tokens,
        latency_s,
        cost_usd,
    from {{ ref('stg_generation') }}
),

issues as (
    select *
    from {{ ref('stg_generation_issue') }}
),

requests as (
    select *
    from {{ ref('stg_generation_request') }}
),

tokens as (
    select generation_id
    from {{ ref('stg_token_logprob') }}
),

readings as (
    select *
    from {{ ref('stg_reflection_reading') }}
),

language_models as (
    select *
    from {{ ref('stg_language_model') }}
),

settings as (
    select
        setting_id,
        task,
        prompt_kind,
    from {{ ref('stg_setting') }}
),

settings_described as (
    select *
    from {{ ref('int_setting_numbered') }}
),

problems as (
    select
        problem_id,
        release_id,
        dataset,
        dataset_version,
    from {{ ref('int_problem_numbered') }}
),

releases as (
    select distinct
        release_id,
        dataset,
        dataset_version,
    from problems
),

drawn as (
    select
        generations.lm_id,
        generations.setting_id,
        problems.release_id,
        count(*) as n_drawn,
        count(*) filter (generations.finish_reason = 'length') as n_cut_off,
        count(tokens.generation_id) as n_with_logprobs,
        count(*) filter (requests.n_attempts > 1) as n_retried,
        sum(requests.n_attempts) as n_attempts,
        sum(generations.n_prompt_tokens) as n_prompt_tokens,
        sum(generations.n_completion_tokens) as n_completion_tokens,
        sum(generations.cost_usd order by generations.generation_id) as cost_usd,
        median(generations.latency_s) as latency_s_p50,
    from generations
    inner join problems on generations.problem_id = problems.problem_id
    left join requests on generations.generation_id = requests.generation_id
    left join tokens on generations.generation_id = tokens.generation_id
    group by all
),

-- the same thing met in several runs counts once
issues_met as (
    select
        generation_id,
        lm_id,
        setting_id,
        problem_id,
        code,
        bool_or(lost) as was_lost,
    from issues
    group by all
),

issues_placed as (
    select
        issues_met.generation_id,
        issues_met.lm_id,
        issues_met.setting_id,
        problems.release_id,
        issues_met.code,
        issues_met.was_lost,
        generations.generation_id is not null as is_drawn,
    from issues_met
    inner join problems on issues_met.problem_id = problems.problem_id
    left join generations on issues_met.generation_id = generations.generation_id
),

troubled as (
    select
        lm_id,
        setting_id,
        release_id,
        count(distinct generation_id) filter (was_lost and not is_drawn) as n_lost,
        count(distinct generation_id) filter (was_lost and is_drawn) as n_recovered,
        count(distinct generation_id) as n_with_issue,
        {% for code in generation_issues() %}
        count(*) filter (code = '{{ code }}') as n_{{ code }},
        {% endfor %}
    from issues_placed
    group by all
),

reflections as (
    select
        generations.lm_id,
        generations.setting_id,
        problems.release_id,
        generations.parent_generation_id,
        count(*) as n_calls,
        count(readings.reader) as n_readings,
        count(readings.value) as n_values,
    from generations
    inner join problems on generations.problem_id = problems.problem_id
    inner join settings on generations.setting_id = settings.setting_id
    left join readings
        on
            generations.generation_id = readings.generation_id
            and settings.prompt_kind = readings.reader
    where settings.task in {{ tasks_of('stated_confidence') }}
    group by all
),

-- only where there is a reader can a reply be read or not
reflected as (
    select
        lm_id,
        setting_id,
        release_id,
        count(*) as n_judged,
        if(sum(n_readings) > 0, count(*) filter (n_values > 0), null) as n_read,
        if(
            sum(n_readings) > 0,
            count(*) filter (
                n_values = 0
                and n_readings >= {{ var('verbalized_calls') }}
            ),
            null
        ) as n_fallback,
    from reflections
    group by all
),

entries as (
    select
        lm_id,
        setting_id,
        release_id,
    from drawn
    union
    select
        lm_id,
        setting_id,
        release_id,
    from troubled
),

published as (
    select
        entries.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        releases.dataset,
        releases.dataset_version,
        entries.release_id,
        entries.setting_id,
        settings_described.setting,
        settings.task,
        settings.prompt_kind as prompt,
        coalesce(drawn.n_drawn, 0) + coalesce(troubled.n_lost, 0) as n_asked,
        coalesce(drawn.n_drawn, 0) as n_drawn,
        coalesce(troubled.n_lost, 0) as n_lost,
        coalesce(troubled.n_recovered, 0) as n_recovered,
        coalesce(troubled.n_with_issue, 0) as n_with_issue,
        {% for code in generation_issues() %}
        coalesce(troubled.n_{{ code }}, 0) as n_{{ code }},
        {% endfor %}
        coalesce(drawn.n_cut_off, 0) as n_cut_off,
        coalesce(drawn.n_with_logprobs, 0) as n_with_logprobs,
        coalesce(drawn.n_retried, 0) as n_retried,
        cast(drawn.n_attempts as bigint) as n_attempts,
        reflected.n_judged,
        drawn.n_drawn / reflected.n_judged as calls_per_judged,
        reflected.n_read,
        reflected.n_fallback,
        reflected.n_fallback / nullif(reflected.n_read + reflected.n_fallback, 0) as fallback_rate,
        cast(drawn.n_prompt_tokens as bigint) as n_prompt_tokens,
        cast(drawn.n_completion_tokens as bigint) as n_completion_tokens,
        drawn.cost_usd,
        drawn.latency_s_p50,
        'generation_health_v1' as view_version,
    from entries
    inner join language_models on entries.lm_id = language_models.lm_id
    inner join settings on entries.setting_id = settings.setting_id
    inner join settings_described on entries.setting_id = settings_described.setting_id
    inner join releases on entries.release_id = releases.release_id
    left join drawn
        on
            entries.lm_id = drawn.lm_id
            and entries.setting_id = drawn.setting_id
            and entries.release_id = drawn.release_id
    left join troubled
        on
            entries.lm_id = troubled.lm_id
            and entries.setting_id = troubled.setting_id
            and entries.release_id = troubled.release_id
    left join reflected
        on
            entries.lm_id = reflected.lm_id
            and entries.setting_id = reflected.setting_id
            and entries.release_id = reflected.release_id
)

select * from published
