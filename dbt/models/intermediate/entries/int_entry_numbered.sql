with tallies as (
    select *
    from {{ ref('int_problem_tallied') }}
),

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

releases as (
    select distinct
        release_no,
        release_id,
        dataset,
        dataset_version,
        n_dataset,
    from problems
),

entries as (
    select
        lm_no,
        setting_no,
        release_no,
        count(*) as n_problems,
        sum(n_samples) as n_samples,
    from tallies
    group by all
),

-- of several releases of one dataset, the newest that the language model answered
entries_newest as (
    select
        entries.lm_no,
        entries.setting_no,
        entries.release_no,
        entries.n_problems,
        entries.n_samples,
        releases.release_id,
        releases.dataset,
        releases.dataset_version,
        releases.n_dataset,
    from entries
    inner join releases on entries.release_no = releases.release_no
    qualify row_number() over (
        partition by entries.lm_no, entries.setting_no, releases.dataset
        order by entries.release_no desc
    ) = 1
),

numbered as (
    select
        cast(
            row_number() over (
                order by language_models.lm_id, entries_newest.dataset, settings.setting_id
            ) as integer
        ) as entry_no,
        entries_newest.lm_no,
        entries_newest.setting_no,
        entries_newest.release_no,
        language_models.lm_id,
        language_models.lm,
        language_models.revision,
        language_models.simulated,
        entries_newest.dataset,
        entries_newest.dataset_version,
        entries_newest.release_id,
        entries_newest.n_dataset,
        settings.setting_id,
        settings.setting,
        settings.resampled,
        entries_newest.n_problems,
        cast(entries_newest.n_samples as bigint) as n_samples,
    from entries_newest
    inner join language_models on entries_newest.lm_no = language_models.lm_no
    inner join settings on entries_newest.setting_no = settings.setting_no
)

select * from numbered
