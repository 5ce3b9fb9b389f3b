{% set statistics = {'auroc': 'auroc_', 'ece': 'ece_', 'skill_score': 'skill_'} %}

with pairings as (
    select *
    from {{ ref('int_calibration_paired') }}
),

estimates as (
    select *
    from {{ ref('stg_estimate') }}
),

runs as (
    select *
    from {{ ref('stg_run') }}
),

newest as (
    select
        pairings.*,
        estimates.statistic,
        estimates.value,
        estimates.low,
        estimates.high,
        estimates.null_reason,
        estimates.seed,
    from pairings
    inner join estimates
        on
            pairings.pair_key = estimates.subject_key
            and pairings.pair_input_key = estimates.input_key
    inner join runs on estimates.run_id = runs.run_id
    qualify row_number() over (
        partition by pairings.pair_key, estimates.statistic
        order by runs.started_at desc, estimates.estimate_id desc
    ) = 1
),

estimated as (
    select
        entry_a,
        entry_b,
        if(notion = 'all_pass', '', notion || '_') || measure as measure,
        any_value(n_clusters_a) as n_clusters_a,
        any_value(n_clusters_b) as n_clusters_b,
        cast(any_value(value) filter (statistic = 'n_common') as bigint) as n_common,
        any_value(seed) as seed,
        {% for statistic in statistics %}
        {% for part in ['a', 'b', 'error', 'p', 'difference'] %}
        any_value(value)
        filter (statistic = '{{ statistic }}_{{ part }}') as {{ statistic }}_{{ part }},
        {% endfor %}
        {% for column in ['low', 'high', 'null_reason'] %}
        any_value({{ column }})
        filter (statistic = '{{ statistic }}_difference') as {{ statistic }}_{{ column }},
        {% endfor %}
        {% endfor %}
    from newest
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
