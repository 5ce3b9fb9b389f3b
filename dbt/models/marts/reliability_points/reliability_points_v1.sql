{% set n_bins = 5 %}

with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where version = 1
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

pairs as (
    select
        subject_no,
        p,
        y,
    from {{ ref('int_calibration_pair') }}
),

scores as (
    select
        pairs.subject_no,
        list(pairs.p order by pairs.p) as scores,
        count(*) - 1 as n_gaps,
    from pairs
    semi join subjects on pairs.subject_no = subjects.subject_no
    group by pairs.subject_no
),

-- an edge lies between the scores of two rows, or on one. quantile_cont() may miss by a last bit
-- the score that both have, and part the rows from their edge
edges as (
    select
        subject_no,
        {% for j in range(1, n_bins) %}
        {%- set place = 'n_gaps * ' ~ j ~ ' / ' ~ n_bins -%}
        {%- set below = 'scores[cast(floor(' ~ place ~ ') as bigint) + 1]' -%}
        {%- set above = 'scores[cast(ceil(' ~ place ~ ') as bigint) + 1]' %}
        {{ below }}
        + ({{ above }} - {{ below }}) * ({{ place }} - floor({{ place }})) as edge_{{ j }},
        {% endfor %}
    from scores
),

binned as (
    select
        pairs.subject_no,
        {% for j in range(1, n_bins) %}
        {{ '+' if not loop.first }} cast(pairs.p >= edges.edge_{{ j }} as bigint)
        {% endfor %}
            as bin,
        pairs.p,
        pairs.y,
    from pairs
    inner join edges on pairs.subject_no = edges.subject_no
),

points as (
    select
        subject_no,
        bin,
        min(p) as lo,
        max(p) as hi,
        count(*) as n,
        avg(p) as mean_p,
        avg(cast(y as double)) as frac_correct,
    from binned
    group by subject_no, bin
),

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        {{ paper_departures('label_groups', 'subjects.measure') }} as paper_departures,
        subjects.measure,
        points.bin,
        points.lo,
        points.hi,
        points.n,
        points.mean_p,
        points.frac_correct,
        'reliability_points_v1' as view_version,
    from points
    inner join subjects on points.subject_no = subjects.subject_no
    inner join label_groups on subjects.group_no = label_groups.group_no
)

select * from published
