{#- A view of instruction-tuned language models beside their base models, asked at one temperature.
    Names tell which belong together: see int_language_model_family. -#}
{% macro instruct_vs_base(version) -%}
{% set named = entry_columns() + [
    'other_lm_id', 'other_lm', 'other_revision', 'other_setting_id', 'other_setting',
    'temperature',
] %}
with families as (
    select *
    from {{ ref('int_language_model_family') }}
),

entries as (
    select
        numbered.*,
        settings.temperature,
        families.family,
        families.is_tuned,
    from {{ ref('int_entry_numbered') }} as numbered
    inner join {{ ref('stg_setting') }} as settings on numbered.setting_id = settings.setting_id
    inner join families on numbered.lm_id = families.lm_id
),

entry_pairs as (
    select
        {{ listed(entry_columns(), 'tuned') }}
        tuned.entry_no,
        tuned.temperature,
        base.entry_no as other_no,
        base.lm_id as other_lm_id,
        base.lm as other_lm,
        base.revision as other_revision,
        base.setting_id as other_setting_id,
        base.setting as other_setting,
    from entries as tuned
    inner join entries as base
        on
            tuned.family = base.family
            and tuned.release_id = base.release_id
            and tuned.simulated = base.simulated
            and tuned.temperature is not distinct from base.temperature
    where tuned.is_tuned and not base.is_tuned
),

{{ diversity_compared(version, named) }}

select
    *,
    'instruct_vs_base_v{{ version }}' as view_version,
from compared
{%- endmacro %}
