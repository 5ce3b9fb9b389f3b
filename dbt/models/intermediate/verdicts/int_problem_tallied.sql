with generations as (
    select *
    from {{ ref('int_generation_judged') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

tallied as (
    select
        lm_no,
        setting_no,
        problem_no,
        count(*) as n_samples,
        count(verdict) as n_scored,
        count(*) filter (verdict = 'passed') as n_passed,
        count(*) filter (verdict = 'failed') as n_failed,
        count(*) filter (verdict = 'error') as n_error,
        count(*) filter (verdict = 'timeout') as n_timeout,
        count(*) filter (verdict = 'out_of_memory') as n_out_of_memory,
        count(*) filter (verdict = 'tampered') as n_tampered,
        count(*) filter (null_reason = 'not_executed') as n_not_executed,
        count(*) filter (null_reason = 'harness_fault') as n_harness_fault,
        count(*) filter (null_reason = 'canary_failed') as n_canary_failed,
        count(parses) as n_parse_known,
        count(*) filter (parses) as n_parsed,
        count(n_completion_tokens) filter (verdict is not null) as n_tokens_known,
        sum(n_completion_tokens) filter (verdict is not null) as tokens,
        count(n_prompt_tokens) filter (verdict is not null) as n_prompt_tokens_known,
        sum(n_prompt_tokens) filter (verdict is not null) as prompt_tokens,
        count(cost_usd) filter (verdict is not null) as n_cost_known,
        sum(cost_usd order by sample_index) filter (verdict is not null) as cost,
    from generations
    group by all
),

placed as (
    select
        tallied.lm_no,
        tallied.setting_no,
        tallied.problem_no,
        tallied.n_samples,
        tallied.n_scored,
        tallied.n_passed,
        tallied.n_failed,
        tallied.n_error,
        tallied.n_timeout,
        tallied.n_out_of_memory,
        tallied.n_tampered,
        tallied.n_not_executed,
        tallied.n_harness_fault,
        tallied.n_canary_failed,
        tallied.n_parse_known,
        tallied.n_parsed,
        tallied.n_tokens_known,
        tallied.tokens,
        tallied.n_prompt_tokens_known,
        tallied.prompt_tokens,
        tallied.n_cost_known,
        tallied.cost,
        problems.problem_index,
        problems.release_no,
        problems.set_aside,
        case
            when tallied.n_not_executed > 0 then 'not_executed'
            when tallied.n_harness_fault > 0 then 'harness_fault'
            when tallied.n_canary_failed > 0 then 'canary_failed'
        end as unscored_reason,
    from tallied
    inner join problems on tallied.problem_no = problems.problem_no
)

select * from placed
