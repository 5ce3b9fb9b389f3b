{{ config(materialized="view") }}

{#- below every real logarithm: what servers write for minus infinity -#}
{% set sentinel = var('sentinel_logprob') %}

with tokens as (
    select *
    from {{ ref('stg_token_logprob') }}
),

tokens_ended as (
    select
        generation_id,
        logprobs,
        kept,
        len(kept) - list_position(list_reverse(kept), true) + 1 as last_kept,
        len(logprobs) as n_tokens,
    from tokens
),

-- nearly always all tokens up to the last one are kept: to cut a list is fast, to sift it is not
tokens_kept as (
    select
        generation_id,
        if(
            not list_contains(kept[:last_kept], false),
            logprobs[:last_kept],
            list_where(logprobs, kept)
        ) as kept_logprobs,
        last_kept,
        n_tokens,
        logprobs,
    from tokens_ended
),

tokens_ranged as (
    select
        generation_id,
        kept_logprobs,
        len(kept_logprobs) as n_tokens_kept,
        list_count(kept_logprobs) as n_logprobs_kept,
        list_max(kept_logprobs) as max_logprob,
        list_min(kept_logprobs) as min_logprob,
        last_kept < n_tokens as has_stop,
        logprobs[last_kept + 1] as stop_logprob,
    from tokens_kept
),

-- few answers have a logarithm to clamp
tokens_clamped as (
    select
        generation_id,
        n_tokens_kept,
        n_logprobs_kept,
        max_logprob,
        min_logprob,
        if(
            min_logprob >= {{ sentinel }} and max_logprob <= 0,
            kept_logprobs,
            list_transform(kept_logprobs, lambda l: greatest(least(l, 0.0), {{ sentinel }}))
        ) as kept_logprobs,
        has_stop,
        stop_logprob,
    from tokens_ranged
),

measured as (
    select
        generation_id,
        n_tokens_kept,
        min_logprob <= {{ sentinel }} as sentinel,
        list_sum(list_transform(kept_logprobs, lambda l: exp(l))) as prob_sum,
        list_sum(kept_logprobs) as logprob_sum,
        greatest(least(min_logprob, 0.0), {{ sentinel }}) as log_min_prob,
        greatest(least(stop_logprob, 0.0), {{ sentinel }}) as log_stop_prob,
        case
            when n_tokens_kept = 0 then 'empty'
            when n_logprobs_kept < n_tokens_kept or isnan(max_logprob) then 'missing_logprobs'
            when max_logprob > {{ var('logprob_tolerance') }} then 'logprob_positive'
        end as token_null_reason,
        case
            when not has_stop then 'not_applicable'
            when stop_logprob is null or isnan(stop_logprob) then 'missing_logprobs'
            when stop_logprob > {{ var('logprob_tolerance') }} then 'logprob_positive'
        end as stop_null_reason,
    from tokens_clamped
),

reasoned as (
    select
        generation_id,
        n_tokens_kept,
        if(token_null_reason is null, sentinel, null) as sentinel,
        token_null_reason,
        coalesce(token_null_reason, stop_null_reason) as token_null_reason_incl_stop,
        if(token_null_reason is null, prob_sum, null) as prob_sum,
        if(token_null_reason is null, logprob_sum, null) as logprob_sum,
        if(token_null_reason is null, log_min_prob, null) as log_min_prob,
        if(
            coalesce(token_null_reason, stop_null_reason) is null, log_stop_prob, null
        ) as log_stop_prob,
    from measured
),

published as (
    select
        generation_id,
        n_tokens_kept,
        sentinel,
        prob_sum / n_tokens_kept as avg_prob,
        logprob_sum as log_total_prob,
        exp(logprob_sum) as total_prob,
        logprob_sum / n_tokens_kept as log_geometric_mean_prob,
        exp(logprob_sum / n_tokens_kept) as geometric_mean_prob,
        log_min_prob,
        exp(log_min_prob) as min_prob,
        token_null_reason,
        (prob_sum + exp(log_stop_prob)) / (n_tokens_kept + 1) as avg_prob_incl_stop,
        logprob_sum + log_stop_prob as log_total_prob_incl_stop,
        exp(logprob_sum + log_stop_prob) as total_prob_incl_stop,
        token_null_reason_incl_stop,
    from reasoned
)

select * from published
