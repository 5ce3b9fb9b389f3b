{% set compared = [
    'n_common', 'n_differing', 'difference', 'difference_lo', 'difference_hi',
    'interval_null_reason', 'test', 'p_value', 'holm_p', 'bh_p', 'n_family',
    'minimum_detectable_effect', 'equivalent',
] %}
{% set turned = {
    'difference': '-difference',
    'difference_lo': '-difference_hi',
    'difference_hi': '-difference_lo',
} %}

with headlines as (
    select *
    from {{ ref('headline_setting', v=1) }}
    where
        family = 'leaderboard'
        and rank = 1
),

pass_values as (
    select pass_values.*
    from {{ ref('pass_at_k', v=1) }} as pass_values
    semi join headlines
        on
            pass_values.lm_id = headlines.lm_id
            and pass_values.dataset = headlines.dataset
            and pass_values.setting_id = headlines.setting_id
),

bests as (
    select *
    from pass_values
    where pass_at_k is not null
    qualify row_number() over (
        partition by dataset, simulated, k
        order by pass_at_k desc, lm asc, revision asc, lm_id asc
    ) = 1
),

comparisons as (
    select *
    from {{ ref('comparison', v=1) }}
    where
        pairing = 'language_models'
        and metric = 'pass_at_k'
),

-- each comparison from both ends
directed as (
    select
        release_id,
        k,
        lm_id_a as lm_id,
        lm_id_b as other_lm_id,
        {{ listed(compared) }}
    from comparisons
    union all
    select
        release_id,
        k,
        lm_id_b as lm_id,
        lm_id_a as other_lm_id,
        {% for column in compared %}
        {{ turned.get(column, column) }} as {{ column }},
        {% endfor %}
    from comparisons
),

beside_best as (
    select
        {{ listed(entry_columns(), 'pass_values') }}
        pass_values.k,
        pass_values.pass_at_k as value,
        bests.lm_id as best_lm_id,
        bests.lm as best_lm,
        bests.revision as best_revision,
        bests.setting_id as best_setting_id,
        bests.pass_at_k as best_value,
        {{ listed(compared, 'directed') }}
        case
            when pass_values.pass_at_k is null then 'no_value'
            when pass_values.lm_id = bests.lm_id then 'is_best'
            when pass_values.release_id != bests.release_id then 'other_release'
            when directed.lm_id is null then 'other_prompt'
            when directed.n_common = 0 then 'no_common_problems'
        end as null_reason,
        'comparison_to_best_v1' as view_version,
    from pass_values
    left join bests
        on
            pass_values.dataset = bests.dataset
            and pass_values.simulated is not distinct from bests.simulated
            and pass_values.k = bests.k
    left join directed
        on
            pass_values.release_id = directed.release_id
            and pass_values.k = directed.k
            and pass_values.lm_id = directed.lm_id
            and bests.lm_id = directed.other_lm_id
)

select * from beside_best
