{% set keys = ['entry_no', 'scope', 'similarity_no'] %}
{% set measures = {
    'n_solutions': 'skewed',
    'solutions_when_right': 'skewed',
    'solutions_per_right': 'share',
} %}

with problem_solutions as (
    select *
    from {{ ref('int_problem_solution') }}
),

entries as (
    select *
    from {{ ref('int_entry_numbered') }}
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

-- a mean over problems, over those with a right sample, and a sum over all right samples
solution_parts as (
    select
        {{ listed(keys) }}
        problem_index,
        coalesce(n_solutions, 0) as n_solutions_top,
        cast(n_solutions is not null as double) as n_solutions_bottom,
        coalesce(n_solutions, 0) as solutions_when_right_top,
        cast(n_solutions > 0 as double) as solutions_when_right_bottom,
        coalesce(n_solutions, 0) as solutions_per_right_top,
        if(n_solutions is null, 0, c) as solutions_per_right_bottom,
    from problem_solutions
),

sums as (
    select
        {{ listed(keys) }}
        {% for measure in measures %}
        sum({{ measure }}_top) / nullif(sum({{ measure }}_bottom), 0) as {{ measure }},
        {% endfor %}
        count(*) filter (solutions_when_right_bottom > 0) as n_right,
    from solution_parts
    group by {{ keys | join(', ') }}
),

counts as (
    select
        {{ listed(keys) }}
        count(*) as n_total,
        count(n_solutions) as n_used,
        count(*) filter (null_reason is null and n_solutions is null) as n_null_not_compared,
    from problem_solutions
    group by {{ keys | join(', ') }}
),

{{ ratio_interval('solution_parts', keys, measures) }},

published as (
    select
        {{ listed(entry_columns(), 'entries') }}
        counts.scope,
        similarities.similarity,
        similarities.scorer,
        similarities.scorer_id,
        cast({{ var('same_solution') }} as double) as threshold,
        {{ listed_with_intervals(measures, 'sums', 'interval_found') }}
        counts.n_total,
        counts.n_used,
        sums.n_right,
        counts.n_null_not_compared,
        counts.n_used < {{ var('few_clusters') }} as few_clusters,
        interval_found.n_solutions_interval_null_reason as interval_null_reason,
        interval_found.solutions_when_right_interval_null_reason,
        interval_found.solutions_per_right_interval_null_reason,
        'distinct_solutions_v1' as view_version,
    from counts
    inner join sums
        on
            counts.entry_no = sums.entry_no
            and counts.scope = sums.scope
            and counts.similarity_no = sums.similarity_no
    inner join interval_found
        on
            counts.entry_no = interval_found.entry_no
            and counts.scope = interval_found.scope
            and counts.similarity_no = interval_found.similarity_no
    inner join entries on counts.entry_no = entries.entry_no
    inner join similarities on counts.similarity_no = similarities.similarity_no
)

select * from published
