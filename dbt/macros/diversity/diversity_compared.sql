{#- CTEs that end in `compared`. It has the diversity of an entry beside that of another on the
    problems where both have a value. It also has the mean of the differences with its interval.

    The CTE `entry_pairs` has entry_no and other_no, two entries on one release, and so many columns
    as are `named` of the pair. -#}
{% macro diversity_compared(version, named) -%}
{% set keys = ['entry_no', 'other_no', 'scope', 'similarity_no'] %}
{% set measures = ['pass_at_1', 'sim', 'csim', 'dpass'] %}
problem_values as (
    select *
    from {{ ref('int_problem_similarity') }}
    where version = {{ version }}
),

similarities as (
    select *
    from {{ ref('int_similarity_numbered') }}
),

both_valued as (
    select
        entry_pairs.entry_no,
        entry_pairs.other_no,
        mine.scope,
        mine.similarity_no,
        mine.problem_index,
        {% for measure in measures %}
        mine.{{ measure }},
        others.{{ measure }} as other_{{ measure }},
        mine.{{ measure }} - others.{{ measure }} as {{ measure }}_difference,
        {% endfor %}
    from entry_pairs
    inner join problem_values as mine on entry_pairs.entry_no = mine.entry_no
    inner join problem_values as others
        on
            entry_pairs.other_no = others.entry_no
            and mine.scope = others.scope
            and mine.similarity_no = others.similarity_no
            and mine.problem_index = others.problem_index
),

means as (
    select
        {{ listed(keys) }}
        {% for measure in measures %}
        avg({{ measure }} order by problem_index) filter ({{ measure }}_difference is not null)
            as {{ measure }},
        avg(other_{{ measure }} order by problem_index) filter (
            {{ measure }}_difference is not null
        ) as other_{{ measure }},
        avg({{ measure }}_difference order by problem_index) as {{ measure }}_difference,
        count({{ measure }}_difference) as n_{{ measure }},
        {% endfor %}
    from both_valued
    group by {{ keys | join(', ') }}
),

{% set differences = {} -%}
{% for measure in measures %}{% do differences.update({measure ~ '_difference': 'difference'}) %}{% endfor -%}
{{ mean_interval('both_valued', keys, differences) }},

compared as (
    select
        {{ listed(named, 'entry_pairs') }}
        means.scope,
        similarities.similarity,
        similarities.scorer,
        similarities.scorer_id,
        {% for measure in measures %}
        means.{{ measure }},
        means.other_{{ measure }},
        {{ listed_with_intervals([measure ~ '_difference'], 'means', 'interval_found') }}
        interval_found.{{ measure }}_difference_interval_null_reason,
        means.n_{{ measure }},
        {% endfor %}
        greatest({% for measure in measures %}means.n_{{ measure }}{{ ', ' if not loop.last }}{% endfor %})
        < {{ var('few_clusters') }} as few_clusters,
    from means
    inner join interval_found
        on {{ equal(keys, 'means', 'interval_found') }}
    inner join entry_pairs
        on
            means.entry_no = entry_pairs.entry_no
            and means.other_no = entry_pairs.other_no
    inner join similarities on means.similarity_no = similarities.similarity_no
)
{%- endmacro %}
