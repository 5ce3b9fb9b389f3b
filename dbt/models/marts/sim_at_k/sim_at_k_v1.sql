with entries as (
    select
        entry_no,
        {% for column in entry_columns() %}
        {{ column }},
        {% endfor %}
        n_dataset,
    from {{ ref('int_entry_numbered') }}
),

problems as (
    select *
    from {{ ref('int_problem_scoped') }}
),

pairs as (
    select *
    from {{ ref('int_adjacent_pair_tallied') }}
),

similarities as (
    select
        problems.entry_no,
        problems.scope,
        problems.problem_index,
        problems.resampled,
        problems.null_reason,
        problems.n,
        problems.c,
        if(
            problems.null_reason is null and pairs.n_missing = 0,
            pairs.clones / nullif(pairs.n_pairs, 0),
            null
        ) as sim,
        if(
            problems.c >= 2 and pairs.n_passing_missing = 0,
            pairs.passing_clones / nullif(pairs.n_passing_pairs, 0),
            null
        ) as csim,
    from problems
    left join pairs
        on
            problems.entry_no = pairs.entry_no
            and problems.scope = pairs.scope
            and problems.problem_index = pairs.problem_index
),

-- where the maker replaced failed samples, the share of right ones says nothing
problem_values as (
    select
        entry_no,
        scope,
        problem_index,
        resampled,
        null_reason,
        n,
        c,
        if(resampled, null, c / n) as pass_at_1,
        sim,
        csim,
        if(resampled, null, {{ dpass('n', 'c', 'csim') }}) as dpass,
    from similarities
),

means as (
    select
        entry_no,
        scope,
        cast(if(scope = 'first_k', {{ var('sim_k') }}, max(n)) as bigint) as k,
        cast(min(n) as bigint) as k_min,
        avg(pass_at_1 order by problem_index) as pass_at_1,
        avg(sim order by problem_index) as sim,
        avg(csim order by problem_index) as csim,
        avg(if(c < 2, 0.0, csim) order by problem_index) as csim_null_as_zero,
        avg(csim order by problem_index) filter (c >= 10) as csim_c10,
        avg(dpass order by problem_index) as dpass,
        count(*) as n_total,
        count(sim) as n_sim,
        count(csim) as n_csim,
        count(csim) filter (c >= 10) as n_csim_c10,
        count(dpass) as n_dpass,
        {% for reason in problem_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
        count(*) filter (n < 2) as n_sim_null_no_pairs,
        count(*) filter (n >= 2 and sim is null) as n_sim_null_pairs_missing,
        count(*) filter (c < 2) as n_csim_null_no_pairs,
        count(*) filter (c >= 2 and csim is null) as n_csim_null_pairs_missing,
        count(*) filter (null_reason is null and resampled) as n_dpass_null_not_applicable,
        count(*) filter (c = 1) as n_single_correct,
    from problem_values
    group by entry_no, scope
),

{{ mean_interval(
    'problem_values',
    ['entry_no', 'scope'],
    ['sim', 'csim', 'dpass']
) }},

published as (
    select
        {% for column in entry_columns() %}
        entries.{{ column }},
        {% endfor %}
        means.scope,
        means.k,
        means.k_min,
        means.pass_at_1,
        means.sim,
        interval_found.sim_lo,
        interval_found.sim_hi,
        means.csim,
        interval_found.csim_lo,
        interval_found.csim_hi,
        means.csim_null_as_zero,
        means.csim_c10,
        means.dpass,
        interval_found.dpass_lo,
        interval_found.dpass_hi,
        entries.n_dataset,
        means.n_total,
        means.n_sim,
        means.n_csim,
        means.n_csim_c10,
        means.n_dpass,
        {% for reason in problem_null_reasons() %}
        means.n_null_{{ reason }},
        {% endfor %}
        means.n_sim_null_no_pairs,
        means.n_sim_null_pairs_missing,
        means.n_csim_null_no_pairs,
        means.n_csim_null_pairs_missing,
        means.n_dpass_null_not_applicable,
        means.n_single_correct,
        means.n_sim < {{ var('few_clusters') }} as few_clusters,
        means.n_csim < {{ var('few_clusters') }} as few_clusters_csim,
        'cluster_bootstrap' as interval_method,
        interval_found.sim_replicates as n_sim_replicates,
        interval_found.csim_replicates as n_csim_replicates,
        interval_found.dpass_replicates as n_dpass_replicates,
        cast({{ var('bootstrap_seed') }} as bigint) as seed,
        'scc_v1' as measure,
        'sim_at_k_v1' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.scope = interval_found.scope
    inner join entries on means.entry_no = entries.entry_no
)

select * from published
