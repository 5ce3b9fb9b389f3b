{% set statistics = {'auroc': 'auroc_', 'ece': 'ece_', 'skill_score': 'skill_'} %}

with pairings as (
    select *
    from {{ ref('int_calibration_paired') }}
),

subjects as (
    select
        pair_key as subject_no,
        pair_key as subject_key,
        pair_input_key as input_key,
    from pairings
),

{{ newest_estimates() }},

estimated as (
    select
        pairings.entry_a,
        pairings.entry_b,
        if(pairings.notion = 'all_pass', '', pairings.notion || '_') || pairings.measure
            as measure,
        any_value(pairings.n_clusters_a) as n_clusters_a,
        any_value(pairings.n_clusters_b) as n_clusters_b,
        cast(any_value(newest.value) filter (newest.statistic = 'n_common') as bigint) as n_common,
        any_value(newest.seed) as seed,
        {% for statistic in statistics %}
        {% for part in ['a', 'b', 'error', 'p', 'difference'] %}
        any_value(newest.value)
        filter (newest.statistic = '{{ statistic }}_{{ part }}') as {{ statistic }}_{{ part }},
        {% endfor %}
        {% for column in ['low', 'high', 'null_reason'] %}
        any_value(newest.{{ column }})
        filter (newest.statistic = '{{ statistic }}_difference') as {{ statistic }}_{{ column }},
        {% endfor %}
        {% endfor %}
    from pairings
    inner join newest on pairings.pair_key = newest.subject_no
    group by all
),

stacked as (
    {% for statistic, prefix in statistics.items() %}
    {{ 'union all' if not loop.first }}
    select
        entry_a,
        entry_b,
        '{{ prefix }}' || measure as metric,
        cast(1 as integer) as k,
        n_common,
        n_clusters_a - n_common as n_dropped_a,
        n_clusters_b - n_common as n_dropped_b,
        seed,
        {{ statistic }}_a as value_a,
        {{ statistic }}_b as value_b,
        {{ statistic }}_difference as difference,
        {{ statistic }}_low as difference_lo,
        {{ statistic }}_high as difference_hi,
        {{ statistic }}_error as standard_error,
        {{ statistic }}_p as p_value,
        {{ statistic }}_null_reason as reason,
    from estimated
    {% endfor %}
),

{{ pairs_resampled() }}

select * from resampled_pairs
