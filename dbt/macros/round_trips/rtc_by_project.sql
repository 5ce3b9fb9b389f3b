{#- Round-trip correctness of synthesis by project, and over all projects, from the problem values of a
    version of `rtc_synthesis`. CTEs that end in `published`. -#}
{% macro rtc_by_project(version) -%}
{% set measures = {'rtc': 'share', 'baseline': 'share', 'lift': 'difference'} %}
{% set keys = ['entry_no', 'similarity'] %}
{% set reasons = round_trip_null_reasons() %}
{% set lm_columns = ['lm_id', 'lm', 'revision', 'simulated'] %}
{% set who = lm_columns + ['setting_id', 'setting'] + forward_columns() %}
{% set group_keys = ['lm_id', 'setting_id', 'forward_lm_id', 'forward_setting_id', 'similarity'] %}
{{ round_trip_problem_values('rtc_synthesis', version) }},

problems as (
    select *
    from {{ ref('int_problem_numbered') }}
),

project_problems as (
    select *
    from {{ ref('stg_project_problem') }}
),

project_releases as (
    select *
    from {{ ref('stg_project_release') }}
),

region_values as (
    select
        problem_values.entry_no,
        problem_values.similarity,
        problem_values.problem_index,
        {{ listed(measures, 'problem_values') }}
        problem_values.null_reason,
        project_problems.project_release_id,
    from problem_values
    inner join entries on problem_values.entry_no = entries.entry_no
    inner join problems
        on
            entries.release_no = problems.release_no
            and problem_values.problem_index = problems.problem_index
    inner join project_problems on problems.problem_id = project_problems.problem_id
),

{{ mean_interval('region_values', keys, measures) }},

project_means as (
    select
        {{ listed(keys) }}
        any_value(project_release_id) as project_release_id,
        {% for measure in measures %}
        avg({{ measure }} order by problem_index) as {{ measure }},
        sum({{ measure }} order by problem_index) as {{ measure }}_sum,
        count({{ measure }}) as {{ measure }}_count,
        {% endfor %}
        count(*) as n_total,
        {% for reason in reasons %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
    from region_values
    group by {{ keys | join(', ') }}
),

by_project as (
    select
        {{ listed(who, 'entries') }}
        project_releases.project,
        project_releases.version as project_version,
        project_releases.license,
        entries.dataset,
        entries.dataset_version,
        project_means.similarity,
        {{ listed_with_intervals(measures, 'project_means', 'interval_found') }}
        project_means.rtc_sum,
        project_means.baseline_sum,
        project_means.lift_sum,
        project_means.rtc_count,
        project_means.baseline_count,
        project_means.lift_count,
        project_means.n_total,
        {% for reason in reasons %}
        project_means.n_null_{{ reason }},
        {% endfor %}
        interval_found.rtc_interval_null_reason,
        interval_found.lift_interval_null_reason,
        dense_rank() over (
            partition by
                {{ listed(group_keys[:-1], 'entries') }}
                project_means.similarity
            order by project_releases.project, entries.dataset
        ) as project_index,
    from project_means
    inner join interval_found
        on
            project_means.entry_no = interval_found.entry_no
            and project_means.similarity = interval_found.similarity
    inner join entries on project_means.entry_no = entries.entry_no
    inner join project_releases
        on project_means.project_release_id = project_releases.project_release_id
),

-- two means over all projects: of the regions, and of the projects' means
parts as (
    {% for over in ['regions', 'projects'] %}
    {% if not loop.first %}
    union all
    {% endif %}
    select
        {{ listed(who) }}
        similarity,
        '{{ over }}' as mean_over,
        project_index,
        {% for measure in measures %}
        {% if over == 'regions' %}
        cast(coalesce({{ measure }}_sum, 0) as double) as {{ measure }}_top,
        cast({{ measure }}_count as double) as {{ measure }}_bottom,
        {% else %}
        coalesce({{ measure }}, 0) as {{ measure }}_top,
        cast({{ measure }} is not null as double) as {{ measure }}_bottom,
        {% endif %}
        {% endfor %}
        n_total,
        rtc_count,
        lift_count,
        {% for reason in reasons %}
        n_null_{{ reason }},
        {% endfor %}
    from by_project
    {% endfor %}
),

over_projects as (
    select
        {{ listed(who) }}
        similarity,
        mean_over,
        {% for measure in measures %}
        sum({{ measure }}_top order by project_index)
        / nullif(sum({{ measure }}_bottom), 0) as {{ measure }},
        {% endfor %}
        count(*) as n_projects,
        sum(n_total) as n_total,
        sum(rtc_count) as n_used,
        sum(lift_count) as n_lift,
        {% for reason in reasons %}
        sum(n_null_{{ reason }}) as n_null_{{ reason }},
        {% endfor %}
    from parts
    group by {{ who | join(', ') }}, similarity, mean_over
),

project_intervals as (
    with
    {{ ratio_interval('parts', group_keys + ['mean_over'], measures, 'project_index') }}

    select * from interval_found
),

rows_found as (
    select
        {{ listed(who) }}
        project,
        project_version,
        license,
        dataset,
        dataset_version,
        similarity,
        'regions' as mean_over,
        {% for measure in measures %}
        {{ measure }},
        {{ measure }}_lo,
        {{ measure }}_hi,
        {% endfor %}
        1 as n_projects,
        n_total,
        rtc_count as n_used,
        lift_count as n_lift,
        {% for reason in reasons %}
        n_null_{{ reason }},
        {% endfor %}
        rtc_count < {{ var('few_clusters') }} as few_clusters,
        rtc_interval_null_reason,
        lift_interval_null_reason,
    from by_project
    union all by name
    select
        {{ listed(who, 'found') }}
        '(all)' as project,
        found.similarity,
        found.mean_over,
        {{ listed_with_intervals(measures, 'found', 'bounds') }}
        found.n_projects,
        found.n_total,
        found.n_used,
        found.n_lift,
        {% for reason in reasons %}
        found.n_null_{{ reason }},
        {% endfor %}
        found.n_projects < {{ var('few_clusters') }} as few_clusters,
        bounds.rtc_interval_null_reason,
        bounds.lift_interval_null_reason,
    from over_projects as found
    inner join project_intervals as bounds
        on
            found.mean_over = bounds.mean_over
            {% for key in group_keys %}
            and found.{{ key }} = bounds.{{ key }}
            {% endfor %}
),

published as (
    select
        {{ listed(who) }}
        project,
        project_version,
        license,
        dataset,
        dataset_version,
        similarity,
        mean_over,
        {% for measure in measures %}
        {{ measure }},
        {{ measure }}_lo,
        {{ measure }}_hi,
        {% endfor %}
        cast(n_projects as bigint) as n_projects,
        cast(n_total as bigint) as n_total,
        cast(n_used as bigint) as n_used,
        cast(n_lift as bigint) as n_lift,
        {% for reason in reasons %}
        cast(n_null_{{ reason }} as bigint) as n_null_{{ reason }},
        {% endfor %}
        few_clusters,
        if(rtc_lo is null, null, 'wilson_clustered') as interval_method,
        rtc_interval_null_reason as interval_null_reason,
        lift_interval_null_reason,
        'rtc_by_project_v{{ version }}' as view_version,
    from rows_found
)
{%- endmacro %}
