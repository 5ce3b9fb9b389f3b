{#- CTEs `means` and `interval_found`: means over the problems of the CTE `problem_values`, by keys,
    and the intervals of `measures`. All are shares, except a variance and what may lie below 0. -#}
{% macro similarity_means(keys, measures) -%}
{% set kinds = {} -%}
{% for measure in measures -%}
    {%- do kinds.update({
        measure: 'skewed' if measure in ('sim_variance', 'sim_rescaled') else 'share'
    }) -%}
{% endfor -%}
means as (
    select
        {{ listed(keys) }}
        cast(if(scope = 'first_k', {{ var('sim_k') }}, max(n)) as bigint) as k,
        cast(min(n) as bigint) as k_min,
        {% for measure in ['pass_at_1', 'pass_at_k', 'sim', 'csim', 'dpass', 'dpair'] %}
        avg({{ measure }} order by problem_index) as {{ measure }},
        count({{ measure }}) as n_{{ measure }},
        {% endfor %}
        avg(if(c < 2, 0.0, csim) order by problem_index)
            filter (not few_passing_pairs_scored and is_measured) as csim_null_as_zero,
        avg(csim order by problem_index) filter (c >= 10) as csim_c10,
        count(csim) filter (c >= 10) as n_csim_c10,
        sum(squared_deviations order by problem_index)
        / nullif(sum(n_scored - 1), 0) as sim_variance,
        avg(similarity_between order by problem_index) as sim_between,
        count(similarity_between) as n_sim_between,
        sum(sim - similarity_between order by problem_index)
        / nullif(sum(1 - similarity_between order by problem_index) filter (sim is not null), 0)
            as sim_rescaled,
        count(*) as n_total,
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
        bool_or(few_pairs_scored) as few_pairs_scored,
        bool_or(few_passing_pairs_scored) as few_passing_pairs_scored,
    from problem_values
    group by {{ keys | join(', ') }}
),

-- a mean is a sum over problems divided by their number. A variance is a sum of squares divided by
-- degrees of freedom. A rescaled similarity is a sum of differences divided by the largest possible
similarity_parts as (
    select
        {{ listed(keys) }}
        problem_index,
        {% for measure in measures %}
        {% if measure == 'sim_variance' %}
        coalesce(squared_deviations, 0) as sim_variance_top,
        coalesce(n_scored - 1, 0) as sim_variance_bottom,
        {% elif measure == 'sim_rescaled' %}
        coalesce(sim - similarity_between, 0.0) as sim_rescaled_top,
        if(sim is null, 0, coalesce(1 - similarity_between, 0)) as sim_rescaled_bottom,
        {% else %}
        {% set column = 'similarity_between' if measure == 'sim_between' else measure %}
        coalesce({{ column }}, 0) as {{ measure }}_top,
        cast({{ column }} is not null as double) as {{ measure }}_bottom,
        {% endif %}
        {% endfor %}
    from problem_values
),

{{ ratio_interval('similarity_parts', keys, kinds) }}
{%- endmacro %}

{#- CTEs that end in `published`: what both versions of Sim@k publish, of the CTE `problem_values`. -#}
{% macro sim_at_k(version, measures) -%}
{% set keys = ['entry_no', 'scope', 'similarity_no'] %}
entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

numbered_similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

{{ similarity_means(keys, ['pass_at_1', 'pass_at_k'] + measures + ['sim_variance', 'sim_between']) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        means.scope,
        numbered_similarities.similarity,
        numbered_similarities.scorer,
        numbered_similarities.scorer_id,
        means.k,
        means.k_min,
        {{ listed_with_intervals(['pass_at_1', 'pass_at_k'] + measures, 'means', 'interval_found') }}
        means.csim_null_as_zero,
        means.csim_c10,
        sqrt(means.sim_variance) as sim_spread,
        sqrt(if(interval_found.sim_variance_lo < 0, 0, interval_found.sim_variance_lo)) as sim_spread_lo,
        sqrt(interval_found.sim_variance_hi) as sim_spread_hi,
        {{ listed_with_intervals(['sim_between'], 'means', 'interval_found') }}
        entries.n_dataset,
        means.n_total,
        means.n_sim,
        means.n_csim,
        means.n_csim_c10,
        means.n_dpass,
        {% if 'dpair' in measures %}
        means.n_dpair,
        {% endif %}
        means.n_sim_between,
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
        means.few_pairs_scored,
        means.few_passing_pairs_scored,
        if(interval_found.sim_lo is null, null, 'wilson_clustered') as interval_method,
        interval_found.sim_interval_null_reason as interval_null_reason,
        interval_found.csim_interval_null_reason,
        interval_found.dpass_interval_null_reason,
        {% if 'dpair' in measures %}
        interval_found.dpair_interval_null_reason,
        {% endif %}
        interval_found.pass_at_1_interval_null_reason,
        interval_found.pass_at_k_interval_null_reason,
        interval_found.sim_between_interval_null_reason,
        numbered_similarities.measure,
        {{ similarity_null_reason() }} as similarity_null_reason,
        'sim_at_k_v{{ version }}' as view_version,
    from means
    inner join interval_found
        on {{ equal(keys, 'means', 'interval_found') }}
    inner join entries on means.entry_no = entries.entry_no
    inner join numbered_similarities
        on means.similarity_no = numbered_similarities.similarity_no
)
{%- endmacro %}

{#- Why an entry has no value of a similarity at all: nothing scored it. -#}
{% macro similarity_null_reason() -%}
    case
        when numbered_similarities.needs_no_scorer or numbered_similarities.scorer_id != '' then null
        when numbered_similarities.measure like 'embedding%' then 'no_encoder'
        when numbered_similarities.measure like 'judge%' then 'no_judge'
        when numbered_similarities.measure like 'human%' then 'no_people'
        else 'not_measured'
    end
{%- endmacro %}
