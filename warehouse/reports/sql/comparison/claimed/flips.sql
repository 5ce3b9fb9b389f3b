-- One row per task whose claimed pass rates differ, widest first.
with compared as (
    select
        claim_source_id_a,
        claim_source_id_b,
        metric
    from (
        {{ rows }}
    )
),

-- a claim has a row for each release that has its task
claims as (
    select distinct on (claim_id)
        claim_id,
        claim_source_id,
        metric,
        task_id,
        claimed_passed
    from claim_verdicts_v1
    where task_id is not null and claimed_passed is not null
),

tallies as (
    select
        claim_source_id,
        metric,
        task_id,
        count(*) filter (where claimed_passed) as n_passed,
        count(claimed_passed) as n_scored
    from claims
    group by all
)

select
    compared.*,
    a.task_id,
    a.n_passed / a.n_scored as value_a,
    b.n_passed / b.n_scored as value_b,
    a.n_passed as n_passed_a,
    a.n_scored as n_a,
    b.n_passed as n_passed_b,
    b.n_scored as n_b
from compared
inner join tallies as a
    on
        compared.claim_source_id_a = a.claim_source_id
        and compared.metric = a.metric
inner join tallies as b
    on
        compared.claim_source_id_b = b.claim_source_id
        and compared.metric = b.metric
        and a.task_id = b.task_id
where abs(a.n_passed / a.n_scored - b.n_passed / b.n_scored) > 1e-9
order by
    compared.claim_source_id_a asc,
    compared.claim_source_id_b asc,
    compared.metric asc,
    a.n_passed / a.n_scored - b.n_passed / b.n_scored desc,
    a.task_id asc
