{#- CTEs that end in `published`: what both versions of Sim@k publish. The CTE `pairs_of_problems`
    has entry_no, scope, similarity_no, problem_index, resampled, null_reason, n and c; the pairs of
    each problem, those of right samples, how many have no score, and the sums of the others; and
    whether any pair is not measured yet. -#}
{% macro sim_at_k(version, measures) -%}
{% set keys = ['entry_no', 'scope', 'similarity_no'] %}
settings as (
    select setting_id
    from {{ ref('int_setting_numbered') }}
    where task in {{ tasks_of('whole_functions') }}
),

-- only whole functions are compared with one another: a line is too short to be a clone
entries as (
    select numbered.*
    from {{ ref('int_entry_numbered') }} as numbered
    semi join settings on numbered.setting_id = settings.setting_id
),

numbered_similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

-- a mean counts only when every pair of the problem has been measured; pairs that have no score
-- are left out of it
similarities as (
    select
        *,
        if(
            null_reason is null and not is_missing,
            similarity_sum / nullif(n_pairs - n_unscored, 0),
            null
        ) as sim,
        if(
            c >= 2 and not is_passing_missing,
            similarity_passing_sum / nullif(n_passing_pairs - n_passing_unscored, 0),
            null
        ) as csim,
    from pairs_of_problems
),

-- where the maker replaced failed samples, the share of right ones says nothing
problem_values as (
    select
        {{ listed(keys) }}
        problem_index,
        resampled,
        null_reason,
        n,
        c,
        is_missing,
        is_passing_missing,
        n_pairs,
        n_unscored,
        if(resampled, null, c / n) as pass_at_1,
        sim,
        csim,
        if(resampled, null, {{ dpass('n', 'c', 'csim') }}) as dpass,
        if(resampled, null, {{ dpair('n', 'c', 'csim') }}) as dpair,
    from similarities
    semi join entries on similarities.entry_no = entries.entry_no
),

means as (
    select
        {{ listed(keys) }}
        cast(if(scope = 'first_k', {{ var('sim_k') }}, max(n)) as bigint) as k,
        cast(min(n) as bigint) as k_min,
        avg(pass_at_1 order by problem_index) as pass_at_1,
        avg(sim order by problem_index) as sim,
        avg(csim order by problem_index) as csim,
        avg(if(c < 2, 0.0, csim) order by problem_index) as csim_null_as_zero,
        avg(csim order by problem_index) filter (c >= 10) as csim_c10,
        avg(dpass order by problem_index) as dpass,
        avg(dpair order by problem_index) as dpair,
        count(*) as n_total,
        count(sim) as n_sim,
        count(csim) as n_csim,
        count(csim) filter (c >= 10) as n_csim_c10,
        count(dpass) as n_dpass,
        count(dpair) as n_dpair,
        {% for reason in problem_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
        count(*) filter (n < 2) as n_sim_null_no_pairs,
        count(*) filter (n >= 2 and is_missing) as n_sim_null_pairs_missing,
        count(*) filter (n >= 2 and sim is null and not is_missing) as n_sim_null_no_score,
        count(*) filter (c < 2) as n_csim_null_no_pairs,
        count(*) filter (c >= 2 and is_passing_missing) as n_csim_null_pairs_missing,
        count(*) filter (c >= 2 and csim is null and not is_passing_missing)
            as n_csim_null_no_score,
        cast(coalesce(sum(n_pairs) filter (sim is not null), 0) as bigint) as n_pairs,
        cast(coalesce(sum(n_unscored) filter (sim is not null), 0) as bigint) as n_pairs_no_score,
        count(*) filter (null_reason is null and resampled) as n_dpass_null_not_applicable,
        count(*) filter (c = 1) as n_single_correct,
    from problem_values
    group by {{ keys | join(', ') }}
),

{{ mean_interval('problem_values', keys, measures) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        means.scope,
        numbered_similarities.similarity,
        numbered_similarities.scorer,
        numbered_similarities.scorer_id,
        means.k,
        means.k_min,
        means.pass_at_1,
        {{ listed_with_intervals(measures, 'means', 'interval_found') }}
        means.csim_null_as_zero,
        means.csim_c10,
        entries.n_dataset,
        means.n_total,
        means.n_sim,
        means.n_csim,
        means.n_csim_c10,
        {% for measure in measures if measure.startswith('dpa') %}
        means.n_{{ measure }},
        {% endfor %}
        {% for reason in problem_null_reasons() %}
        means.n_null_{{ reason }},
        {% endfor %}
        means.n_sim_null_no_pairs,
        means.n_sim_null_pairs_missing,
        means.n_csim_null_no_pairs,
        means.n_csim_null_pairs_missing,
        means.n_sim_null_no_score,
        means.n_csim_null_no_score,
        means.n_pairs,
        means.n_pairs_no_score,
        means.n_dpass_null_not_applicable,
        means.n_single_correct,
        means.n_sim < {{ var('few_clusters') }} as few_clusters,
        means.n_csim < {{ var('few_clusters') }} as few_clusters_csim,
        'cluster_bootstrap' as interval_method,
        interval_found.sim_replicates as n_sim_replicates,
        interval_found.csim_replicates as n_csim_replicates,
        interval_found.dpass_replicates as n_dpass_replicates,
        cast({{ var('bootstrap_seed') }} as bigint) as seed,
        numbered_similarities.measure,
        {{ similarity_null_reason() }} as similarity_null_reason,
        'sim_at_k_v{{ version }}' as view_version,
    from means
    inner join interval_found
        on
            {% for key in keys %}
            {{ 'and ' if not loop.first }}means.{{ key }} = interval_found.{{ key }}
            {% endfor %}
    inner join entries on means.entry_no = entries.entry_no
    inner join numbered_similarities
        on means.similarity_no = numbered_similarities.similarity_no
)
{%- endmacro %}

{#- Why an entry has no value of a similarity at all: nothing scored it. -#}
{% macro similarity_null_reason() -%}
    case
        when numbered_similarities.is_token or numbered_similarities.scorer_id != '' then null
        when numbered_similarities.measure like 'embedding%' then 'no_encoder'
        else 'not_measured'
    end
{%- endmacro %}
