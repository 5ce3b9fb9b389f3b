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

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

-- sums of hashes do not depend on the order of rows
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
        sum(hash(row_hash, y_v{{ version }})) as label_hash,
        {% set compared = twelve_digits(log_score or score) %}
        bit_xor(hash(row_hash, y_v{{ version }}, {{ compared }})) as score_xor,
        sum(hash(row_hash, y_v{{ version }}, {{ compared }})) as score_hash,
        count(distinct problem_no) as n_clusters,
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
),

identified as (
    select
        cast(
            (tallied.group_no - 1) * {{ measures | length }} + tallied.measure_no as integer
        ) as subject_no,
        left(
            sha256(
                concat_ws(
                    chr(31),
                    tallied.version,
                    label_groups.lm_id,
                    label_groups.setting_id,
                    label_groups.release_id,
                    tallied.measure,
                    label_groups.notion
                )
            ),
            32
        ) as subject_key,
        left(
            sha256(
                concat_ws(
                    chr(31),
                    label_groups.lm_id,
                    label_groups.setting_id,
                    label_groups.release_id,
                    label_groups.notion,
                    tallied.label_hash
                )
            ),
            32
        ) as split_key,
        left(sha256(concat_ws(chr(31), tallied.version, tallied.score_hash)), 32) as input_key,
        tallied.group_no,
        tallied.version,
        label_groups.lm_id,
        label_groups.setting_id,
        label_groups.release_id,
        tallied.measure,
        label_groups.notion,
        {{ listed(calibration_tallies(), 'tallied') }}
    from tallied
    inner join label_groups on tallied.group_no = label_groups.group_no
),

-- a number for each split, because joins on numbers are fast
numbered as (
    select
        *,
        cast(dense_rank() over (order by split_key) as integer) as split_no,
    from identified
)

select * from numbered
