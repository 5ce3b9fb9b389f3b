{% set forward = ['forward_lm_no', 'forward_setting_no'] %}

with programs as (
    select *
    from {{ ref('int_round_trip_judged') }}
),

descriptions as (
    select *
    from {{ ref('int_description_marked') }}
),

forward_language_models as (
    select *
    from {{ ref('int_language_model_numbered') }}
),

forward_settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

described as (
    select distinct
        programs.lm_no,
        programs.setting_no,
        programs.release_no,
        descriptions.lm_no as forward_lm_no,
        descriptions.setting_no as forward_setting_no,
    from programs
    inner join descriptions on programs.parent_generation_id = descriptions.generation_id
),

wordless as (
    select
        lm_no,
        setting_no,
        release_no,
    from descriptions
    group by all
    having bool_and(is_empty)
),

-- descriptions that are all empty have no programs: they are held against the baseline that their
-- own language model wrote
undescribed as (
    select distinct
        programs.lm_no,
        programs.setting_no,
        programs.release_no,
        wordless.lm_no as forward_lm_no,
        wordless.setting_no as forward_setting_no,
    from programs
    inner join wordless
        on
            programs.lm_no = wordless.lm_no
            and programs.release_no = wordless.release_no
    where programs.parent_generation_id is null
),

entries as (
    select * from described
    union
    select * from undescribed
),

{{ numbered_entries(of_setting=['task'], beside=forward) }},

named as (
    select
        numbered.* exclude (simulated),
        numbered.simulated or forward_language_models.simulated as simulated,
        forward_language_models.lm_id as forward_lm_id,
        forward_language_models.lm as forward_lm,
        forward_language_models.revision as forward_revision,
        forward_settings.setting_id as forward_setting_id,
        forward_settings.setting as forward_setting,
    from numbered
    inner join forward_language_models
        on numbered.forward_lm_no = forward_language_models.lm_no
    inner join forward_settings on numbered.forward_setting_no = forward_settings.setting_no
)

select * from named
