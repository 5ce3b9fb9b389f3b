with settings as (
    select *
    from {{ ref('stg_setting') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

-- in the order in which they came, so that those that come later leave the numbers of the others
described as (
    select
        row_number() over (
            order by runs.started_at asc, settings.setting_id asc
        ) as setting_no,
        settings.setting_id,
        settings.task,
        settings.resampled,
        coalesce(settings.temperature = 0, false) as is_deterministic,
        concat_ws(
            ', ',
            settings.style,
            if(settings.prompt_kind = 'original', null, settings.prompt_kind || ' prompt'),
            'T=' || settings.temperature,
            'top_p=' || settings.top_p,
            'max_tokens=' || settings.max_tokens,
            'seed=' || settings.seed,
            if(settings.resampled, 'resampled', null),
            nullif(settings.label, '')
        ) as setting,
    from settings
    left join runs on settings.run_id = runs.run_id
)

select * from described
