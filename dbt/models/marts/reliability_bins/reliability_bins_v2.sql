{% set sums = ['n', 'w', 'ww', 'wp', 'wy'] %}

with subjects as (
    select *
    from {{ ref('int_calibration_subject') }}
    where
        version = 2
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
        'equal_width' as kind,
        bin / 10 as lo,
        (bin + 1) / 10 as hi,
    from {{ ref('int_calibration_binned') }}
),

bins_rescaled as (
    select
        *,
        'equal_width' as kind,
        bin / 10 as lo,
        (bin + 1) / 10 as hi,
    from {{ ref('int_calibration_rescaled') }}
    where fold_seed = {{ var('diagram_seed') }}
),

-- every second edge of ten makes five bins
bins_of_equal_mass as (
    select
        subject_no,
        'none' as rescaler,
        'equal_mass' as kind,
        bin // 2 as bin,
        min(lo) as lo,
        max(hi) as hi,
        {% for sum in sums %}
        sum({{ sum }}) as {{ sum }},
        {% endfor %}
    from {{ ref('int_calibration_quantile_binned') }}
    group by subject_no, bin // 2
),

bins as (
    {% for part in ['bins_raw', 'bins_rescaled', 'bins_of_equal_mass'] %}
    {{ 'union all' if not loop.first }}
    select
        subject_no,
        rescaler,
        kind,
        bin,
        lo,
        hi,
        {{ listed(sums) }}
    from {{ part }}
    {% endfor %}
),

-- rows of unequal weight tell as much as fewer rows of equal weight
bins_measured as (
    select
        subjects.group_no,
        subjects.subject_no,
        subjects.n_used,
        subjects.n_clusters,
        subjects.measure,
        bins.rescaler,
        bins.kind,
        bins.bin,
        bins.lo,
        bins.hi,
        bins.n,
        bins.w / sum(bins.w) over (partition by bins.subject_no, bins.rescaler, bins.kind)
            as weight_share,
        bins.w * bins.w / bins.ww as n_effective,
        bins.wp / bins.w as mean_p,
        -- shares of whole weights that rounding left a hair outside
        least(greatest(bins.wy / bins.w, 0.0), 1.0) as frac_correct,
    from bins
    inner join subjects on bins.subject_no = subjects.subject_no
),

{{ bin_intervals() }},

published as (
    select
        {{ listed(calibration_entry_columns(), 'label_groups') }}
        bins_measured.measure,
        bins_measured.rescaler,
        bins_measured.kind,
        cast(bins_measured.bin as bigint) as bin,
        bins_measured.lo,
        bins_measured.hi,
        cast(bins_measured.n as bigint) as n,
        bins_measured.weight_share,
        bins_measured.n_effective,
        bins_measured.mean_p,
        bins_measured.frac_correct,
        {{ bin_interval_columns() }}
        bins_measured.frac_correct - bins_measured.mean_p as gap,
        'reliability_bins_v2' as view_version,
    from bins_measured
    inner join label_groups on bins_measured.group_no = label_groups.group_no
    left join interval_found on {{ equal(bin_keys(), 'bins_measured', 'interval_found') }}
)

select * from published
