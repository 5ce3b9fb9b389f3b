{% set n_bins = 10 %}

with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where n_used > 0
),

pairs as (
    select
        subject_no,
        position,
        p,
    from {{ ref('int_calibration_pair') }}
),

levels as (
    select *
    from {{ ref('int_calibration_level') }}
),

inner_edges as (
    select generate_series as j
    from generate_series(1, {{ n_bins }} - 1)
),

-- an edge lies between the scores of two rows, or on one
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
        place,
        unnest([floor(place) + 1, ceil(place) + 1]) as position,
    from places
),

edges as (
    select
        ends.subject_no,
        ends.j,
        min(pairs.p) + (max(pairs.p) - min(pairs.p)) * any_value(ends.place - floor(ends.place))
            as edge,
    from ends
    inner join pairs
        on
            ends.subject_no = pairs.subject_no
            and ends.position = pairs.position
    group by ends.subject_no, ends.j
),

edges_side_by_side as (
    select
        subject_no,
        {% for j in range(1, n_bins) %}
        any_value(edge) filter (j = {{ j }}) as edge_{{ j }},
        {% endfor %}
    from edges
    group by all
),

-- rows of one score are in one bin
levels_placed as (
    select
        levels.subject_no,
        cast(
            case
                {% for j in range(n_bins - 1, 0, -1) %}
                when levels.p >= edges_side_by_side.edge_{{ j }} then {{ j }}
                {% endfor %}
                else 0
            end as tinyint
        ) as bin,
        levels.p,
        levels.n,
        levels.ww,
        levels.wy,
        levels.wn,
    from levels
    inner join edges_side_by_side on levels.subject_no = edges_side_by_side.subject_no
),

binned as (
    select
        subject_no,
        bin,
        min(p) as lo,
        max(p) as hi,
        {{ calibration_level_sums() }}
    from levels_placed
    group by all
)

select * from binned
