{#- Round-trip correctness of a version beside pass@1, of one setting each: the headlines (Allamanis
    et al. 2024, arXiv 2402.08699, Table 2). -#}
{% macro rtc_beside_pass_at_1(version) %}
with headlines as (
    select *
    from {{ ref('headline_round_trip', v=1) }}
    where
        family = 'synthesis_v{{ version }}'
        and rank = 1
),

round_trips as (
    select *
    from {{ ref('rtc_synthesis', v=version) }}
    where similarity = 'pass'
),

pass_headlines as (
    select *
    from {{ ref('headline_setting', v=1) }}
    where
        family = 'leaderboard'
        and rank = 1
),

pass_rates as (
    select *
    from {{ ref('pass_at_k', v=1) }}
    where k = 1
),

pass_rates_shown as (
    select pass_rates.*
    from pass_rates
    inner join pass_headlines
        on
            pass_rates.lm_id = pass_headlines.lm_id
            and pass_rates.dataset = pass_headlines.dataset
            and pass_rates.setting_id = pass_headlines.setting_id
),

published as (
    select
        {{ listed(entry_columns(), 'round_trips') }}
        round_trips.forward_setting_id,
        round_trips.forward_setting,
        {{ listed_with_intervals(['rtc'], 'round_trips', 'round_trips') }}
        round_trips.baseline,
        {{ listed_with_intervals(['lift'], 'round_trips', 'round_trips') }}
        round_trips.n_used,
        round_trips.n_lift,
        pass_rates_shown.pass_at_k as pass_at_1,
        pass_rates_shown.pass_at_k_lo as pass_at_1_lo,
        pass_rates_shown.pass_at_k_hi as pass_at_1_hi,
        pass_rates_shown.n_used as n_used_pass_at_1,
        pass_rates_shown.setting_id as pass_at_1_setting_id,
        pass_rates_shown.setting as pass_at_1_setting,
        'rtc_beside_pass_at_1_v{{ version }}' as view_version,
    from headlines
    inner join round_trips
        on
            headlines.lm_id = round_trips.lm_id
            and headlines.lm_id = round_trips.forward_lm_id
            and headlines.dataset = round_trips.dataset
            and headlines.setting_id = round_trips.setting_id
            and headlines.forward_setting_id = round_trips.forward_setting_id
    left join pass_rates_shown
        on
            headlines.lm_id = pass_rates_shown.lm_id
            and headlines.dataset = pass_rates_shown.dataset
)

select * from published
{% endmacro %}
