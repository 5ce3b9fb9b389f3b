with source_rows as (
    select
        setting_id,
        task,
        style,
        prompt_kind,
        cast(temperature as double) as temperature,
        cast(top_p as double) as top_p,
        cast(max_tokens as integer) as max_tokens,
        stop,
        cast(seed as integer) as seed,
        cast(resampled as boolean) as resampled,
        label,
        run_id,
    from {{ source('raw', 'setting') }}
)

select * from source_rows
