with paired as (
    select *
    from {{ ref('int_calibration_paired') }}
),

published as (
    select
        *,
        'calibration_pairings_v1' as view_version,
    from paired
)

select * from published
