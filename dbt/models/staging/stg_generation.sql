with source_rows as (
    select
        generation_id,
        lm_id,
        problem_id,
        variant_id,
        setting_id,
        cast(sample_index as integer) as sample_index,
        parent_generation_id,
        source,
        text_key,
        finish_reason,
        cast(n_prompt_tokens as integer) as n_prompt_tokens,
        cast(n_completion_tokens as integer) as n_completion_tokens,
        cast(latency_s as double) as latency_s,
        cast(cost_usd as double) as cost_usd,
        cast(claimed_pass as boolean) as claimed_pass,
        run_id,
    from {{ source('raw', 'generation') }}
)

select * from source_rows
