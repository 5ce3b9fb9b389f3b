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
    from {{ ref('int_candidate_pair_tallied') }}
),

measures as (
    select unnest(['overlap_ratio', 'clone_70', 'clone_80', 'clone_90']) as similarity
),

-- a mean counts only when every pair of the problem has been measured
similarities as (
    select
        problems.entry_no,
        problems.scope,
        measures.similarity,
        problems.problem_index,
        problems.resampled,
        problems.null_reason,
        problems.n,
        problems.c,
        if(
            pairs.n_pairs = problems.n * (problems.n - 1) // 2,
            pairs.similarity_sum / nullif(pairs.n_pairs, 0),
            null
        ) as sim,
        if(
            pairs.n_passing_pairs = problems.c * (problems.c - 1) // 2,
            pairs.similarity_passing_sum / nullif(pairs.n_passing_pairs, 0),
            null
        ) as csim,
    from problems
    cross join measures
    left join pairs
        on
            problems.entry_no = pairs.entry_no
            and problems.scope = pairs.scope
            and problems.problem_index = pairs.problem_index
            and measures.similarity = pairs.similarity
),

-- where the maker replaced failed samples, the share of right ones says nothing
problem_values as (
    select
        entry_no,
        scope,
        similarity,
        problem_index,
        resampled,
        null_reason,
        n,
        c,
        if(resampled, null, c / n) as pass_at_1,
        sim,
        csim,
        if(resampled, null, {{ dpass('n', 'c', 'csim') }}) as dpass,
        if(resampled, null, {{ dpair('n', 'c', 'csim') }}) as dpair,
    from similarities
),

means as (
    select
        entry_no,
        scope,
        similarity,
        cast(if(scope = 'first_k', {{ var('sim_k') }}, max(n)) as bigint) as k,
        cast(min(n) as bigint) as k_min,
        avg(pass_at_1 order by problem_index) as pass_at_1,
        avg(sim order by problem_index) as sim,
        avg(csim order by problem_index) as csim,
        avg(if(c < 2, 0.0, csim) order by problem_index) as csim_null_as_zero,
        avg(csim order by problem_index) filter (c >= 10) as csim_c10,
        avg(dpass order by problem_index) as dpass,
        avg(dpair order by problem_index) as dpair,
        count(dpair) as n_dpair,
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
    group by entry_no, scope, similarity
),

{{ mean_interval(
    'problem_values',
    ['entry_no', 'scope', 'similarity'],
    ['sim', 'csim', 'dpass', 'dpair']
) }},

published as (
    select
        {% for column in entry_columns() %}
        entries.{{ column }},
        {% endfor %}
        means.scope,
        means.similarity,
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
        means.dpair,
        interval_found.dpair_lo,
        interval_found.dpair_hi,
        entries.n_dataset,
        means.n_total,
        means.n_sim,
        means.n_csim,
        means.n_csim_c10,
        means.n_dpass,
        means.n_dpair,
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
        'tokens_v2' as measure,
        'sim_at_k_v2' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.scope = interval_found.scope
            and means.similarity = interval_found.similarity
    inner join entries on means.entry_no = entries.entry_no
)

select * from published
