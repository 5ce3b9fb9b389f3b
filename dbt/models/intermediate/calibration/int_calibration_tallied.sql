{% set measures = calibration_measures() %}
{% set reasons = measures | map(attribute=4) | unique | list %}

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

-- rows of a problem with equal labels and equal reasons of all measures. Sums of hashes do not
-- depend on the order of rows
alike as (
    select
        group_no,
        problem_no,
        y_v1,
        y_v2,
        label_null_reason,
        {{ listed(reasons) }}
        count(*) as n_rows,
        {% for version in [1, 2] %}
        sum(hash(row_hash, y_v{{ version }})) as label_hash_v{{ version }},
        {% endfor %}
        {% for version, measure, score, log_score, reason in measures %}
        {% set is_used = 'label_null_reason is null and ' ~ reason ~ ' is null' %}
        {% set scored_row = 'row_hash, y_v' ~ version ~ ', ' ~ twelve_digits(log_score or score) %}
        {% set used_hash = 'if(' ~ is_used ~ ', hash(' ~ scored_row ~ '), null)' %}
        bit_xor({{ used_hash }}) as {{ measure }}_xor_v{{ version }},
        sum({{ used_hash }}) as {{ measure }}_hash_v{{ version }},
        {% endfor %}
    from scored
    group by all
),

stacked as (
    {% for version, measure, score, log_score, reason in measures %}
    {{ 'union all' if not loop.first }}
    select
        {{ loop.index }} as measure_no,
        {{ version }} as version,
        '{{ measure }}' as measure,
        group_no,
        coalesce(label_null_reason, {{ reason }}) as null_reason,
        cast(sum(n_rows) as bigint) as n_rows,
        cast(sum(n_rows) filter (y_v{{ version }}) as bigint) as n_positive,
        sum(label_hash_v{{ version }}) as label_hash,
        bit_xor({{ measure }}_xor_v{{ version }}) as score_xor,
        sum({{ measure }}_hash_v{{ version }}) as score_hash,
        count(distinct problem_no) as n_clusters,
    from alike
    group by group_no, coalesce(label_null_reason, {{ reason }})
    {% endfor %}
),

-- only rows with a label and a score are used
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
