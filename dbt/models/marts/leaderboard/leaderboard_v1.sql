{% set diversity = ['sim', 'csim', 'dpass', 'dpair'] %}

with headlines as (
    select
        {{ listed(entry_columns()) }}
        n_settings,
        n_samples,
    from {{ ref('headline_setting', v=1) }}
    where
        family = 'leaderboard'
        and rank = 1
),

sizes as (
    select
        lm_id,
        dataset,
        setting_id,
        n_dataset,
    from {{ ref('int_entry_numbered') }}
),

pass_values as (
    select
        lm_id,
        dataset,
        setting_id,
        k,
        pass_at_k,
        pass_at_k_lo,
        pass_at_k_hi,
        interval_method,
        interval_null_reason,
        few_clusters,
        n_total,
        n_used,
        {% for reason in pass_null_reasons() %}
        n_null_{{ reason }},
        {% endfor %}
        view_version,
    from {{ ref('pass_at_k', v=1) }}
),

similarities as (
    select
        lm_id,
        dataset,
        setting_id,
        k,
        {% for measure in diversity %}
        {{ measure }},
        {{ measure }}_lo,
        {{ measure }}_hi,
        n_{{ measure }},
        {% endfor %}
        interval_null_reason as sim_interval_null_reason,
        csim_interval_null_reason,
        dpass_interval_null_reason,
        dpair_interval_null_reason,
        n_null_n_lt_k,
        n_sim_null_pairs_missing,
        n_csim_null_no_pairs,
        n_csim_null_pairs_missing,
        view_version,
    from {{ ref('sim_at_k', v=2) }}
    where
        scope = 'first_k'
        and similarity = 'clone_80'
),

health as (
    select *
    from {{ ref('execution_health', v=1) }}
),

ks_side_by_side as (
    select
        lm_id,
        dataset,
        setting_id,
        {% for k in var('pass_ks') %}
        any_value(pass_at_k) filter (k = {{ k }}) as pass_at_{{ k }},
        any_value(pass_at_k_lo) filter (k = {{ k }}) as pass_at_{{ k }}_lo,
        any_value(pass_at_k_hi) filter (k = {{ k }}) as pass_at_{{ k }}_hi,
        any_value(interval_method) filter (k = {{ k }}) as pass_at_{{ k }}_interval,
        any_value(interval_null_reason) filter (k = {{ k }}) as pass_at_{{ k }}_reason,
        any_value(n_used) filter (k = {{ k }}) as pass_at_{{ k }}_n_used,
        any_value(n_null_n_lt_k) filter (k = {{ k }}) as pass_at_{{ k }}_n_null_n_lt_k,
        {% endfor %}
        any_value(few_clusters) filter (k = 1) as few_clusters,
        any_value(n_total) as n_total,
        {% for reason in pass_null_reasons() if reason != 'n_lt_k' %}
        any_value(n_null_{{ reason }}) filter (k = 1) as n_null_{{ reason }},
        {% endfor %}
        any_value(view_version) as view_version,
    from pass_values
    group by all
),

measured as (
    select
        {{ listed(entry_columns(), 'headlines') }}
        headlines.n_settings,
        sizes.n_dataset,
        headlines.n_samples,
        ks_side_by_side.n_total,
        {% for reason in pass_null_reasons() if reason != 'n_lt_k' %}
        ks_side_by_side.n_null_{{ reason }},
        {% endfor %}
        {% for k in var('pass_ks') %}
        ks_side_by_side.pass_at_{{ k }},
        ks_side_by_side.pass_at_{{ k }}_lo,
        ks_side_by_side.pass_at_{{ k }}_hi,
        ks_side_by_side.pass_at_{{ k }}_interval,
        ks_side_by_side.pass_at_{{ k }}_n_used,
        ks_side_by_side.pass_at_{{ k }}_n_null_n_lt_k,
        {% endfor %}
        ks_side_by_side.few_clusters,
        ks_side_by_side.view_version as pass_at_k_version,
        {% for measure in diversity %}
        similarities.{{ measure }} as {{ measure }}_at_10,
        similarities.{{ measure }}_lo as {{ measure }}_at_10_lo,
        similarities.{{ measure }}_hi as {{ measure }}_at_10_hi,
        similarities.n_{{ measure }} as {{ measure }}_at_10_n_used,
        {% endfor %}
        {{ intervals_missing('ks_side_by_side', 'similarities', diversity) }}
            as interval_null_reasons,
        similarities.n_null_n_lt_k as sim_at_10_n_null_n_lt_k,
        similarities.n_sim_null_pairs_missing as sim_at_10_n_null_pairs_missing,
        similarities.n_csim_null_no_pairs as csim_at_10_n_null_no_pairs,
        similarities.n_csim_null_pairs_missing as csim_at_10_n_null_pairs_missing,
        similarities.view_version as sim_at_k_version,
        health.n_scored as n_samples_scored,
        health.parse_rate,
        health.n_timeout,
        health.n_timeout / nullif(health.n_scored, 0) as timeout_rate,
        health.n_same_interpreter,
        health.view_version as execution_health_version,
    from headlines
    inner join sizes
        on
            headlines.lm_id = sizes.lm_id
            and headlines.dataset = sizes.dataset
            and headlines.setting_id = sizes.setting_id
    inner join ks_side_by_side
        on
            headlines.lm_id = ks_side_by_side.lm_id
            and headlines.dataset = ks_side_by_side.dataset
            and headlines.setting_id = ks_side_by_side.setting_id
    left join similarities
        on
            headlines.lm_id = similarities.lm_id
            and headlines.dataset = similarities.dataset
            and headlines.setting_id = similarities.setting_id
    inner join health
        on
            headlines.lm_id = health.lm_id
            and headlines.dataset = health.dataset
            and headlines.setting_id = health.setting_id
),

rivals as (
    select
        lm_id,
        dataset,
        simulated,
        pass_at_1_lo,
        pass_at_1_hi,
    from measured
    where pass_at_1 is not null
),

-- a rival surely ahead begins where this interval has ended, one surely behind ends before it
bands as (
    select
        measured.lm_id,
        measured.dataset,
        1 + count(*) filter (rivals.pass_at_1_lo > measured.pass_at_1_hi) as rank_best,
        count(*) - count(*) filter (rivals.pass_at_1_hi < measured.pass_at_1_lo) as rank_worst,
    from measured
    inner join rivals
        on
            measured.dataset = rivals.dataset
            and measured.simulated = rivals.simulated
    where measured.pass_at_1_lo is not null
    group by all
),

published as (
    select
        measured.dataset,
        measured.simulated,
        if(
            measured.pass_at_1 is null,
            null,
            rank() over (
                partition by measured.dataset, measured.simulated
                order by measured.pass_at_1 desc nulls last
            )
        ) as rank,
        bands.rank_best,
        bands.rank_worst,
        {{ listed(entry_columns() | reject('in', ['dataset', 'simulated']), 'measured') }}
        measured.n_settings,
        measured.n_dataset,
        measured.n_samples,
        measured.n_samples_scored,
        measured.n_total,
        {% for reason in pass_null_reasons() if reason != 'n_lt_k' %}
        measured.n_null_{{ reason }},
        {% endfor %}
        {% for k in var('pass_ks') %}
        measured.pass_at_{{ k }},
        measured.pass_at_{{ k }}_lo,
        measured.pass_at_{{ k }}_hi,
        measured.pass_at_{{ k }}_interval,
        measured.pass_at_{{ k }}_n_used,
        measured.pass_at_{{ k }}_n_null_n_lt_k,
        {% endfor %}
        measured.few_clusters,
        measured.pass_at_k_version,
        {% for measure in diversity %}
        measured.{{ measure }}_at_10,
        measured.{{ measure }}_at_10_lo,
        measured.{{ measure }}_at_10_hi,
        measured.{{ measure }}_at_10_n_used,
        {% endfor %}
        measured.interval_null_reasons,
        measured.sim_at_10_n_null_n_lt_k,
        measured.sim_at_10_n_null_pairs_missing,
        measured.csim_at_10_n_null_no_pairs,
        measured.csim_at_10_n_null_pairs_missing,
        measured.sim_at_k_version,
        measured.parse_rate,
        measured.n_timeout,
        measured.timeout_rate,
        measured.n_same_interpreter,
        measured.execution_health_version,
        'leaderboard_v1' as view_version,
    from measured
    left join bands
        on
            measured.lm_id = bands.lm_id
            and measured.dataset = bands.dataset
)

select * from published
