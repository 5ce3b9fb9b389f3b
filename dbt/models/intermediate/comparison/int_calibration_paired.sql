with pairs as (
    select distinct
        entry_a,
        entry_b,
    from {{ ref('int_entry_paired') }}
),

entries as (
    select *
    from {{ ref('int_compared_entry') }}
    where round_trip_entry_no is null
),

label_groups as (
    select *
    from {{ ref('int_calibration_group') }}
),

subjects as (
    select
        entries.entry_no,
        entries.lm,
        subjects.*,
    from {{ ref('int_calibration_subject') }} as subjects
    inner join label_groups on subjects.group_no = label_groups.group_no
    inner join entries
        on
            label_groups.lm_no = entries.lm_no
            and label_groups.setting_no = entries.setting_no
            and label_groups.release_no = entries.release_no
    where
        subjects.version = 2
        and subjects.n_used > 0
),

paired as (
    select
        left(sha256(concat_ws(chr(31), 'pair', a.subject_key, b.subject_key)), 32) as pair_key,
        left(sha256(concat_ws(chr(31), 'pair', a.input_key, b.input_key)), 32)
            as pair_input_key,
        entries.dataset,
        a.release_id,
        a.notion,
        a.measure,
        a.entry_no as entry_a,
        b.entry_no as entry_b,
        a.lm as lm_a,
        b.lm as lm_b,
        a.subject_no as subject_no_a,
        b.subject_no as subject_no_b,
        a.n_used as n_used_a,
        b.n_used as n_used_b,
        a.n_clusters as n_clusters_a,
        b.n_clusters as n_clusters_b,
    from pairs
    inner join subjects as a on pairs.entry_a = a.entry_no
    inner join subjects as b
        on
            pairs.entry_b = b.entry_no
            and a.notion = b.notion
            and a.measure = b.measure
    inner join entries on pairs.entry_a = entries.entry_no
)

select * from paired
