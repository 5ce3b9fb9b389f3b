with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where
        version = 1
        and n_used > 0
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

bins_raw as (
    select
        *,
        'none' as rescaler,
    from {{ ref('int_calibration_binned') }}
),

bins_rescaled as (
    select *
    from {{ ref('int_calibration_rescaled') }}
),

bins as (
    {% for part in ['bins_raw', 'bins_rescaled'] %}
    {{ 'union all' if not loop.first }}
    select
        subject_no,
        rescaler,
        bin,
        n,
        wp,
        wy,
    from {{ part }}
    {% endfor %}
),

places as (
    select generate_series as bin
    from generate_series(0, 9)
),

diagrams as (
    select distinct
        subject_no,
        rescaler,
    from bins
),

-- empty bins have their bar, of no height
bins_placed as (
    select
        subjects.group_no,
        subjects.measure,
        diagrams.rescaler,
        places.bin,
        coalesce(bins.n, 0) as n,
        bins.wp / bins.n as mean_p,
        bins.wy / bins.n as frac_correct,
        coalesce(bins.wy, 0.0) as n_correct,
    from diagrams
    inner join subjects on diagrams.subject_no = subjects.subject_no
    cross join places
    left join bins
        on
            diagrams.subject_no = bins.subject_no
            and diagrams.rescaler = bins.rescaler
            and places.bin = bins.bin
),

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        {{ paper_departures('label_groups', 'bins_placed.measure') }} as paper_departures,
        bins_placed.measure,
        bins_placed.rescaler,
        bins_placed.bin,
        bins_placed.bin / 10 as lo,
        (bins_placed.bin + 1) / 10 as hi,
        bins_placed.n,
        bins_placed.mean_p,
        bins_placed.frac_correct,
        {{ wilson_bound('bins_placed.n_correct', 'bins_placed.n', '-') }} as wilson_lo,
        {{ wilson_bound('bins_placed.n_correct', 'bins_placed.n', '+') }} as wilson_hi,
        bins_placed.frac_correct - bins_placed.mean_p as gap,
        (2 * bins_placed.bin + 1) / 20 as bar_centre,
        coalesce(bins_placed.frac_correct, 0.0) as bar_height,
        'reliability_bins_v1' as view_version,
    from bins_placed
    inner join label_groups on bins_placed.group_no = label_groups.group_no
)

select * from published
