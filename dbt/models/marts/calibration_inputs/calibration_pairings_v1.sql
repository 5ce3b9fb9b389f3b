with paired as (
    select *
    from {{ ref('int_calibration_paired') }}
),

published as (
    select
        pair_key,
        pair_input_key,
        dataset,
        release_id,
        notion,
        measure,
        entry_a,
        entry_b,
        lm_a,
        lm_b,
        subject_no_a,
        subject_no_b,
        n_used_a,
        n_used_b,
        n_clusters_a,
        n_clusters_b,
        'calibration_pairings_v1' as view_version,
    from paired
)

select * from published
