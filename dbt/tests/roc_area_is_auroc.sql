-- The area under the points is the AUROC, up to the grid of the points.
{% set keys = ['lm_id', 'release_id', 'setting_id', 'notion', 'measure'] %}

with points as (
    {% for v in [1, 2] %}
    {{ 'union all' if not loop.first }}
    select
        {{ v }} as version,
        {{ keys | join(', ') }},
        point,
        false_share,
        true_share,
    from {{ ref('roc', v=v) }}
    {% endfor %}
),

subjects as (
    {% for v in [1, 2] %}
    {{ 'union all' if not loop.first }}
    select
        {{ v }} as version,
        {{ keys | join(', ') }},
        auroc,
    from {{ ref('calibration_raw', v=v) }}
    {% endfor %}
),

-- the next point of the last one is (1, 1)
segments as (
    select
        version,
        {{ keys | join(', ') }},
        false_share,
        true_share,
        lead(false_share, 1, 1) over curve as next_false_share,
        lead(true_share, 1, 1) over curve as next_true_share,
    from points
    window curve as (
        partition by version, {{ keys | join(', ') }}
        order by point
    )
),

areas as (
    select
        version,
        {{ keys | join(', ') }},
        sum((next_false_share - false_share) * (true_share + next_true_share) / 2) as area,
    from segments
    group by version, {{ keys | join(', ') }}
),

broken as (
    select
        areas.version,
        {% for key in keys %}
        areas.{{ key }},
        {% endfor %}
        areas.area,
        subjects.auroc,
    from areas
    inner join subjects
        on
            areas.version = subjects.version
            {% for key in keys %}
            and areas.{{ key }} = subjects.{{ key }}
            {% endfor %}
    where abs(areas.area - subjects.auroc) > 0.01
)

select * from broken
