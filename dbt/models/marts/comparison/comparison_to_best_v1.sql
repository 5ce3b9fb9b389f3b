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

with entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

places as (
    select *
    from {{ ref('int_entry_placed') }}
),

entry_values as (
    select
        entry_no,
        metric,
        k,
        avg(value order by problem_index) as value,
        count(*) as n_problems,
    from {{ ref('problem_values', v=1) }}
    group by all
),

-- who can be the best: the floors of a rank, also for this metric and k
placed as (
    select
        {{ listed(entry_columns(), 'entries') }}
        places.board_no,
        places.task,
        places.prompt_kind,
        places.temperature,
        entry_values.metric,
        entry_values.k,
        entry_values.value,
        entry_values.n_problems,
        case
            when places.unranked_reason is not null then places.unranked_reason
            when
                entry_values.metric = 'pass_at_k'
                and entry_values.n_problems / places.n_usable < {{ var('least_coverage') }}
                then 'coverage_lt_min'
            when entry_values.n_problems < {{ var('least_clusters') }} then 'problems_lt_min'
        end as unranked_reason,
    from entry_values
    inner join entries on entry_values.entry_no = entries.entry_no
    inner join places on entry_values.entry_no = places.entry_no
),

-- values that differ by rounding are equal: then the first by name
bests as (
    select *
    from placed
    where unranked_reason is null
    qualify row_number() over (
        partition by board_no, metric, k
        order by
            round(if({{ lower_is_better('metric') }}, -value, value), 12) desc,
            lm asc,
            revision asc,
            lm_id asc,
            setting_id asc
    ) = 1
),

comparisons as (
    select *
    from {{ ref('comparison', v=1) }}
    where pairing = 'board'
),

-- each comparison from both ends
directed as (
    {% for side, other in [('a', 'b'), ('b', 'a')] %}
    {{ 'union all' if not loop.first }}
    select
        release_id,
        metric,
        k,
        lm_id_{{ side }} as lm_id,
        setting_id_{{ side }} as setting_id,
        lm_id_{{ other }} as other_lm_id,
        setting_id_{{ other }} as other_setting_id,
        {% for column in compared %}
        {{ column if side == 'a' else turned.get(column, column) }} as {{ column }},
        {% endfor %}
    from comparisons
    {% endfor %}
),

beside_best as (
    select
        {{ listed(entry_columns(), 'placed') }}
        placed.task,
        placed.prompt_kind,
        placed.temperature,
        placed.metric,
        placed.k,
        placed.value,
        placed.n_problems,
        placed.unranked_reason,
        bests.lm_id as best_lm_id,
        bests.lm as best_lm,
        bests.revision as best_revision,
        bests.setting_id as best_setting_id,
        bests.setting as best_setting,
        bests.value as best_value,
        {{ listed(compared, 'directed') }}
        case
            when placed.unranked_reason is not null then 'unranked'
            when placed.lm_id = bests.lm_id and placed.setting_id = bests.setting_id
                then 'is_best'
            when directed.n_common = 0 then 'no_common_problems'
        end as null_reason,
        'comparison_to_best_v1' as view_version,
    from placed
    left join bests
        on
            placed.board_no = bests.board_no
            and placed.metric = bests.metric
            and placed.k = bests.k
    left join directed
        on
            placed.release_id = directed.release_id
            and placed.metric = directed.metric
            and placed.k = directed.k
            and placed.lm_id = directed.lm_id
            and if(placed.unranked_reason is null, placed.setting_id, null) = directed.setting_id
            and bests.lm_id = directed.other_lm_id
            and bests.setting_id = directed.other_setting_id
)

select * from beside_best
