with scored as (
    select *
    from {{ ref('int_claimed_scored') }}
),

entries as (
    select *
    from {{ ref('int_claimed_entry') }}
),

settings as (
    select *
    from {{ ref('int_setting_numbered') }}
),

-- sums of hashes do not depend on the order of rows
tallied as (
    select
        subject_no,
        any_value(entry_no) as entry_no,
        any_value(setting_no) as setting_no,
        any_value(measure) as measure,
        count(*) as n_total,
        count(*) filter (null_reason is null) as n_used,
        count(*) filter (null_reason is null and y) as n_positive,
        count(distinct problem_index) filter (null_reason is null) as n_clusters,
        {% for reason in claimed_score_null_reasons() %}
        count(*) filter (null_reason = '{{ reason }}') as n_null_{{ reason }},
        {% endfor %}
        bit_xor(hash(claim_id, y, p)) filter (null_reason is null) as row_xor,
        sum(hash(claim_id, y, p)) filter (null_reason is null) as row_hash,
    from scored
    group by subject_no
),

identified as (
    select
        tallied.subject_no,
        tallied.entry_no,
        tallied.setting_no,
        tallied.measure,
        tallied.n_total,
        tallied.n_used,
        tallied.n_positive,
        tallied.n_clusters,
        {% for reason in claimed_score_null_reasons() %}
        tallied.n_null_{{ reason }},
        {% endfor %}
        left(
            sha256(
                concat_ws(
                    chr(31),
                    'claimed',
                    entries.claim_source_id,
                    entries.metric,
                    coalesce(settings.setting_id, ''),
                    tallied.measure
                )
            ),
            32
        ) as subject_key,
        left(sha256(concat_ws(':', 'claimed', tallied.row_xor, tallied.row_hash)), 32)
            as input_key,
    from tallied
    inner join entries on tallied.entry_no = entries.entry_no
    left join settings on tallied.setting_no = settings.setting_no
)

select * from identified
