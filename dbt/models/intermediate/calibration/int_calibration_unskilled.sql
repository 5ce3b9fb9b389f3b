with scored as (
    select *
    from {{ ref('int_calibration_scored') }}
),

problems as (
    select
        group_no,
        problem_no,
        count(*) as n_total,
        {% for version in [1, 2] %}
        count(y_v{{ version }}) as n_used_v{{ version }},
        count(*) filter (y_v{{ version }}) as n_positive_v{{ version }},
        {% endfor %}
        {% for reason in calibration_null_reasons() %}
        count(*) filter (label_null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
    from scored
    group by all
),

-- version 1 counts rows alike, version 2 problems
tallied as (
    {% for version in [1, 2] %}
    {{ 'union all' if not loop.first }}
    select
        group_no,
        {{ version }} as version,
        cast(sum(n_total) as bigint) as n_total,
        cast(sum(n_used_v{{ version }}) as bigint) as n_used,
        cast(sum(n_positive_v{{ version }}) as bigint) as n_positive,
        count(*) filter (n_used_v{{ version }} > 0) as n_clusters,
        {% if version == 1 %}
        sum(n_positive_v1) / nullif(sum(n_used_v1), 0) as base_rate,
        {% else %}
        avg(n_positive_v2 / nullif(n_used_v2, 0) order by problem_no) as base_rate,
        {% endif %}
        {% for reason in calibration_null_reasons() %}
        cast(sum(n_null_{{ reason }}) as bigint) as n_null_{{ reason }},
        {% endfor %}
    from problems
    group by group_no
    {% endfor %}
)

select * from tallied
