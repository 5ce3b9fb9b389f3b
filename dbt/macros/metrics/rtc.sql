{#- Measures of round-trip correctness, each with the kind of its interval. -#}
{% macro rtc_measures() -%}
    {{ return({
        'rtc': 'share',
        'baseline': 'share',
        'lift': 'difference',
        'at_k': 'share',
        'leak_rate': 'share',
    }) }}
{%- endmacro %}

{#- What the views of each kind of round trip take: the family of tasks that write code, and how it
    is compared, also in degrees. The last entry says why a problem has no value. -#}
{% macro rtc_views() -%}
    {{ return({
        'rtc_synthesis': {
            'tasks': 'round_trip',
            'similarities': ['pass', 'exact_match'],
            'is_graded': true,
            'baseline_needs_tests': true,
            'null_reasons': round_trip_null_reasons(),
        },
        'rtc_editing': {
            'tasks': 'edit',
            'similarities': ['exact_match'],
            'is_graded': false,
            'baseline_needs_tests': false,
            'null_reasons': edit_null_reasons(),
        },
    }) }}
{%- endmacro %}

{#- CTEs that end in `problem_values`: round-trip correctness of each problem (Allamanis et al.
    2024, arXiv 2402.08699, section 2, equation 1), for a view of `rtc_views`. Version 1 takes the
    paper's number of samples and leaves a problem out that lacks a description or a program of one.
    Version 2 takes all samples that have a value. A similarity in degrees has no success, so no
    at_k. -#}
{% macro round_trip_problem_values(view, version) -%}
{% set is_v1 = version == 1 %}
{% set taken = rtc_views()[view] %}
{% set graded = text_similarities(version) if taken.is_graded else {} %}
{% set similarities = taken.similarities + graded.keys() | list %}
{% set told_otherwise = ['errata', 'reference_fails', 'samples_missing'] %}
entries as (
    select *
    from {{ ref('int_round_trip_entry_numbered') }}
    where task in {{ tasks_of(taken.tasks) }}
),

all_slots as (
    select *
    from {{ ref('int_round_trip_slot') }}
),

slots as (
    select all_slots.*
    from all_slots
    inner join entries on all_slots.entry_no = entries.entry_no
    {% if is_v1 %}
    where
        coalesce(all_slots.description_index, 0) < {{ var('round_trip_descriptions') }}
        and coalesce(all_slots.program_index, 0) < {{ var('round_trip_programs') }}
    {% endif %}
),

slots_compared as (
    {% for similarity in similarities %}
    {% if not loop.first %}
    union all
    {% endif %}
    select
        entry_no,
        '{{ similarity }}' as similarity,
        problem_index,
        set_aside,
        kind,
        description_index,
        is_empty,
        quotes_code,
        coalesce(null_reason = 'not_applicable', false) as is_never_run,
        {% if similarity == 'pass' %}
        cast(passed as double) as value,
        value as success,
        null_reason,
        {% elif similarity == 'exact_match' %}
        cast(exact_match_v{{ version }} as double) as value,
        value as success,
        if(null_reason = 'not_generated', null_reason, null) as null_reason,
        {% else %}
        {{ graded[similarity] }} as value,
        cast(null as double) as success,
        {{ similarity }}_null_reason as null_reason,
        {% endif %}
    from slots
    {% endfor %}
),

descriptions as (
    select
        entry_no,
        similarity,
        problem_index,
        description_index,
        any_value(set_aside) as set_aside,
        bool_or(is_never_run) as is_never_run,
        any_value(is_empty) as is_empty,
        any_value(cast(coalesce(quotes_code, false) as double)) as quotes_code,
        {% if is_v1 %}
        if(count(value) = {{ var('round_trip_programs') }}, avg(value), null) as value,
        {% else %}
        avg(value) as value,
        {% endif %}
        max(success) as best,
        count(value) as n_programs,
        coalesce(
            list(distinct null_reason) filter (null_reason is not null), []
        ) as null_reasons,
    from slots_compared
    where kind = 'round_trip'
    group by entry_no, similarity, problem_index, description_index
),

round_trips as (
    select
        entry_no,
        similarity,
        problem_index,
        any_value(set_aside) as set_aside,
        bool_or(is_never_run) as is_never_run,
        count(*) as n_descriptions,
        count(*) filter (is_empty) as n_descriptions_empty,
        sum(n_programs) as n_programs,
        avg(value order by description_index) as value,
        count(value) as n_scored,
        max(best) as at_k,
        avg(quotes_code order by description_index) as leak_rate,
        flatten(list(null_reasons)) as null_reasons,
    from descriptions
    group by entry_no, similarity, problem_index
),

baselines as (
    select
        entry_no,
        similarity,
        problem_index,
        avg(value) as value,
        count(value) as n_programs,
    from slots_compared
    where
        kind = 'baseline'
        {% if taken.baseline_needs_tests %}
        and not is_never_run
        {% endif %}
    group by entry_no, similarity, problem_index
),

reasons as (
    select
        round_trips.*,
        baselines.value as baseline,
        baselines.n_programs as n_baseline_programs,
        case
            when set_aside is not null then set_aside
            {% if is_v1 %}
            when n_descriptions < {{ var('round_trip_descriptions') }} then 'samples_missing'
            when n_scored = n_descriptions then null
            {% else %}
            when n_scored > 0 then null
            {% endif %}
            {% for reason in taken.null_reasons if reason not in told_otherwise %}
            when list_contains(null_reasons, '{{ reason }}') then '{{ reason }}'
            {% endfor %}
        end as null_reason,
    from round_trips
    left join baselines
        on
            round_trips.entry_no = baselines.entry_no
            and round_trips.similarity = baselines.similarity
            and round_trips.problem_index = baselines.problem_index
),

problem_values as (
    select
        entry_no,
        similarity,
        problem_index,
        null_reason,
        is_never_run,
        n_descriptions,
        n_descriptions_empty,
        n_programs,
        coalesce(n_baseline_programs, 0) as n_baseline_programs,
        if(null_reason is null, value, null) as rtc,
        if(null_reason is null, baseline, null) as baseline,
        if(null_reason is null, value - baseline, null) as lift,
        if(null_reason is null, at_k, null) as at_k,
        if(null_reason is null, leak_rate, null) as leak_rate,
    from reasons
)
{%- endmacro %}

{#- CTEs that end in `published`: what both versions of round-trip correctness publish, the means over
    problems. -#}
{% macro round_trip_correctness(view, version) -%}
{% set taken = rtc_views()[view] %}
{% set keys = ['entry_no', 'similarity'] %}
{{ round_trip_problem_values(view, version) }},

means as (
    select
        {{ listed(keys) }}
        {% for measure in rtc_measures() %}
        avg({{ measure }} order by problem_index) as {{ measure }},
        {% endfor %}
        count(*) as n_total,
        count(rtc) as n_used,
        count(lift) as n_lift,
        bool_or(is_never_run) as is_never_run,
        {% for reason in taken.null_reasons %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
        cast(sum(n_descriptions) as bigint) as n_descriptions,
        cast(sum(n_descriptions_empty) as bigint) as n_descriptions_empty,
        cast(sum(n_programs) as bigint) as n_programs,
        cast(sum(n_baseline_programs) as bigint) as n_baseline_programs,
    from problem_values
    group by {{ keys | join(', ') }}
),

{{ mean_interval('problem_values', keys, rtc_measures()) }},

published as (
    select
        {{ listed(entry_columns() + forward_columns(), 'entries') }}
        means.similarity,
        {{ listed_with_intervals(rtc_measures(), 'means', 'interval_found') }}
        entries.n_dataset,
        means.n_total,
        means.n_used,
        means.n_lift,
        case
            when means.n_used = 0 or means.n_lift > 0 then null
            {% if taken.baseline_needs_tests %}
            when means.is_never_run then 'not_applicable'
            {% endif %}
            else 'no_baseline'
        end as lift_null_reason,
        {% for reason in taken.null_reasons %}
        means.n_null_{{ reason }},
        {% endfor %}
        means.n_descriptions,
        means.n_descriptions_empty,
        means.n_programs,
        means.n_baseline_programs,
        means.n_used < {{ var('few_clusters') }} as few_clusters,
        if(interval_found.rtc_lo is null, null, 'wilson_clustered') as interval_method,
        interval_found.rtc_interval_null_reason as interval_null_reason,
        interval_found.lift_interval_null_reason,
        '{{ view }}_v{{ version }}' as view_version,
    from means
    inner join interval_found
        on
            means.entry_no = interval_found.entry_no
            and means.similarity = interval_found.similarity
    inner join entries on means.entry_no = entries.entry_no
)
{%- endmacro %}
