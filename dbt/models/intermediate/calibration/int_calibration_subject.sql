{% set measures = calibration_measures() %}

with tallied as (
    select *
    from {{ ref('int_calibration_tallied') }}
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
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
