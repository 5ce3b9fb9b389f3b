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
bins_measured as (
    select
        subjects.group_no,
        subjects.subject_no,
        subjects.n_used,
        subjects.n_clusters,
        subjects.measure,
        diagrams.rescaler,
        'equal_width' as kind,
        places.bin,
        coalesce(bins.n, 0) as n,
        bins.wp / bins.n as mean_p,
        bins.wy / bins.n as frac_correct,
    from diagrams
    inner join subjects on diagrams.subject_no = subjects.subject_no
    cross join places
    left join bins
        on
            diagrams.subject_no = bins.subject_no
            and diagrams.rescaler = bins.rescaler
            and places.bin = bins.bin
),

{{ bin_intervals() }},

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        {{ paper_departures('label_groups', 'bins_measured.measure') }} as paper_departures,
        bins_measured.measure,
        bins_measured.rescaler,
        bins_measured.bin,
        bins_measured.bin / 10 as lo,
        (bins_measured.bin + 1) / 10 as hi,
        bins_measured.n,
        bins_measured.mean_p,
        bins_measured.frac_correct,
        {{ bin_interval_columns() }}
        bins_measured.frac_correct - bins_measured.mean_p as gap,
        (2 * bins_measured.bin + 1) / 20 as bar_centre,
        coalesce(bins_measured.frac_correct, 0.0) as bar_height,
        'reliability_bins_v1' as view_version,
    from bins_measured
    inner join label_groups on bins_measured.group_no = label_groups.group_no
    left join interval_found on {{ equal(bin_keys(), 'bins_measured', 'interval_found') }}
)

select * from published
