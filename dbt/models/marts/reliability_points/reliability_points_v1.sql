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
        position,
        p,
        y,
    from {{ ref('int_calibration_pair') }}
),

inner_edges as (
    select generate_series as j
    from generate_series(1, {{ n_bins }} - 1)
),

-- an edge lies between the scores of two rows, or on one. quantile_cont() may miss by a last bit
-- the score that both have, and part the rows from their edge
places as (
    select
        subjects.subject_no,
        inner_edges.j,
        (subjects.n_used - 1) * inner_edges.j / {{ n_bins }} as place,
    from subjects
    cross join inner_edges
),

ends as (
    select
        subject_no,
        j,
        place - floor(place) as share,
        unnest([floor(place) + 1, ceil(place) + 1]) as position,
    from places
),

edges_placed as (
    select
        ends.subject_no,
        ends.j,
        min(pairs.p) + (max(pairs.p) - min(pairs.p)) * any_value(ends.share) as edge,
    from ends
    inner join pairs
        on
            ends.subject_no = pairs.subject_no
            and ends.position = pairs.position
    group by ends.subject_no, ends.j
),

edges as (
    select
        subject_no,
        {% for j in range(1, n_bins) %}
        any_value(edge) filter (j = {{ j }}) as edge_{{ j }},
        {% endfor %}
    from edges_placed
    group by subject_no
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
