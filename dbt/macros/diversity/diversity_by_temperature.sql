{#- A view of entries beside the one that was asked the same way at the lowest temperature. -#}
{% macro diversity_by_temperature(version) -%}
{% set same_setting = [
    'task', 'style', 'prompt_kind', 'top_p', 'max_tokens', 'stop', 'seed', 'label',
] %}
{% set named = entry_columns() + ['temperature', 'other_temperature', 'other_setting_id'] %}
with entries as (
    select
        numbered.*,
        {{ listed(['temperature'] + same_setting, 'settings') }}
    from {{ ref('int_entry_numbered') }} as numbered
    inner join {{ ref('stg_setting') }} as settings on numbered.setting_id = settings.setting_id
    where settings.temperature is not null
),

ordered as (
    select
        *,
        first_value(entry_no) over lowest as other_no,
        first_value(temperature) over lowest as other_temperature,
        first_value(setting_id) over lowest as other_setting_id,
    from entries
    window
        lowest as (
            partition by lm_id, release_id, resampled, {{ same_setting | join(', ') }}
            order by temperature
        )
),

entry_pairs as (
    select *
    from ordered
    where temperature > other_temperature
),

{{ diversity_compared(version, named) }}

select
    *,
    'diversity_by_temperature_v{{ version }}' as view_version,
from compared
{%- endmacro %}
