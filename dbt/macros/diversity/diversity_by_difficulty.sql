{#- CTEs that end in `published`: Sim@k and its kin by the difficulty that a dataset gives its problems. -#}
{% macro diversity_by_difficulty(version, measures) -%}
{% set keys = ['entry_no', 'scope', 'similarity_no', 'difficulty'] %}
entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

difficulties as (
    select
        entries.entry_no,
        numbered.problem_index,
        problems.difficulty,
    from entries
    inner join {{ ref('int_problem_numbered') }} as numbered
        on entries.release_no = numbered.release_no
    inner join {{ ref('stg_problem') }} as problems
        on numbered.problem_id = problems.problem_id
    where problems.difficulty is not null
),

problem_values as (
    select
        problem_similarities.*,
        difficulties.difficulty,
    from {{ ref('int_problem_similarity') }} as problem_similarities
    inner join difficulties
        on
            problem_similarities.entry_no = difficulties.entry_no
            and problem_similarities.problem_index = difficulties.problem_index
    where problem_similarities.version = {{ version }}
),

{{ similarity_means(keys, ['pass_at_1', 'pass_at_k'] + measures) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        means.difficulty,
        means.scope,
        similarities.similarity,
        similarities.scorer,
        similarities.scorer_id,
        means.k,
        {{ listed_with_intervals(['pass_at_1', 'pass_at_k'] + measures, 'means', 'interval_found') }}
        means.n_total,
        means.n_sim,
        means.n_csim,
        means.n_dpass,
        means.n_sim < {{ var('few_clusters') }} as few_clusters,
        means.n_csim < {{ var('few_clusters') }} as few_clusters_csim,
        interval_found.sim_interval_null_reason as interval_null_reason,
        interval_found.csim_interval_null_reason,
        interval_found.dpass_interval_null_reason,
        {% if 'dpair' in measures %}
        interval_found.dpair_interval_null_reason,
        {% endif %}
        interval_found.pass_at_1_interval_null_reason,
        interval_found.pass_at_k_interval_null_reason,
        'diversity_by_difficulty_v{{ version }}' as view_version,
    from means
    inner join interval_found
        on {{ equal(keys, 'means', 'interval_found') }}
    inner join entries on means.entry_no = entries.entry_no
    inner join similarities on means.similarity_no = similarities.similarity_no
)
{%- endmacro %}
