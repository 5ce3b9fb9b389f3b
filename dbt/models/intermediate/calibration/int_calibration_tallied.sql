{% set measures = calibration_measures() %}

with scored as (
    select
        group_no,
        problem_no,
        row_hash,
        y_v1,
        y_v2,
        label_null_reason,
        {{ listed(calibration_columns()) }}
        verbalized_base_rate,
        verbalized_base_rate_null_reason,
    from {{ ref('int_calibration_scored') }}
),

-- sums of hashes do not depend on the order of rows. Only rows with a label and a score are hashed
stacked as (
    {% for version, measure, score, log_score, reason in measures %}
    {{ 'union all' if not loop.first }}
    select
        {{ loop.index }} as measure_no,
        {{ version }} as version,
        '{{ measure }}' as measure,
        group_no,
        coalesce(label_null_reason, {{ reason }}) as null_reason,
        count(*) as n_rows,
        count(*) filter (y_v{{ version }}) as n_positive,
        {% set is_used = 'label_null_reason is null and ' ~ reason ~ ' is null' %}
        {% set row = 'row_hash, y_v' ~ version %}
        {% set scored_row = row ~ ', ' ~ twelve_digits(log_score or score) %}
        sum(if({{ is_used }}, hash({{ row }}), null)) as label_hash,
        bit_xor(if({{ is_used }}, hash({{ scored_row }}), null)) as score_xor,
        sum(if({{ is_used }}, hash({{ scored_row }}), null)) as score_hash,
        count(distinct if({{ is_used }}, problem_no, null)) as n_clusters,
    from scored
    group by group_no, coalesce(label_null_reason, {{ reason }})
    {% endfor %}
),

tallied as (
    select
        measure_no,
        version,
        measure,
        group_no,
        cast(sum(n_rows) as bigint) as n_total,
        coalesce(any_value(n_rows) filter (null_reason is null), 0) as n_used,
        coalesce(any_value(n_positive) filter (null_reason is null), 0) as n_positive,
        coalesce(any_value(n_clusters) filter (null_reason is null), 0) as n_clusters,
        any_value(label_hash) filter (null_reason is null) as label_hash,
        concat_ws(
            ':',
            any_value(score_xor) filter (null_reason is null),
            any_value(score_hash) filter (null_reason is null)
        ) as score_hash,
        {% for reason in calibration_null_reasons() %}
        cast(sum(if(null_reason = '{{ reason }}', n_rows, 0)) as bigint) as n_null_{{ reason }},
        {% endfor %}
    from stacked
    group by all
)

select * from tallied
