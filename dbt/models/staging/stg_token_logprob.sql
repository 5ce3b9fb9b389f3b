with source_rows as (
    select
        generation_id,
        cast(tokens as varchar[]) as tokens,
        cast(logprobs as double[]) as logprobs,
        cast(kept as boolean[]) as kept,
        top_logprobs,
        cast(cumulative_logprob as double) as cumulative_logprob,
        run_id,
    from {{ source('raw', 'token_logprob') }}
)

select * from source_rows
