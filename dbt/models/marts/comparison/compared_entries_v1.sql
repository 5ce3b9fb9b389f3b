with entries as (
    select *
    from {{ ref('int_compared_entry') }}
),

published as (
    select
        entry_no,
        {{ listed(entry_columns()) }}
        forward_lm_id,
        forward_lm,
        forward_setting_id,
        task,
        style,
        prompt_kind,
        temperature,
        top_p,
        max_tokens,
        resampled,
        cast(n_dataset as bigint) as n_dataset,
        'compared_entries_v1' as view_version,
    from entries
)

select * from published
