with scored as (
    select *
    from {{ ref('int_claimed_scored') }}
    where null_reason is null
),

subjects as (
    select *
    from {{ ref('int_claimed_subject') }}
),

claims as (
    select *
    from {{ ref('stg_claim') }}
),

published as (
    select
        subjects.subject_key,
        scored.claim_id,
        claims.task_id,
        scored.p,
        scored.y,
        scored.w,
        'claimed_pairs_v1' as view_version,
    from scored
    inner join subjects on scored.subject_no = subjects.subject_no
    inner join claims on scored.claim_id = claims.claim_id
)

select * from published
