with headlined as (
    select *
    from {{ ref('int_setting_headlined') }}
),

published as (
    select
        family,
        {{ listed(entry_columns()) }}
        rank,
        n_settings,
        reason,
        notion,
        resampled,
        temperature,
        n_samples,
        n_pairs,
        n_problems,
        'headline_setting_v1' as view_version,
    from headlined
)

select * from published
