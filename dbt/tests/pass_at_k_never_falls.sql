-- Over the same problems, pass@k never falls as k grows.
with passes as (
    select
        lm_id,
        dataset,
        setting_id,
        k,
        pass_at_k,
        n_used,
    from {{ ref('pass_at_k', v=1) }}
    where pass_at_k is not null
),

falls as (
    select
        smaller.lm_id,
        smaller.dataset,
        smaller.setting_id,
        smaller.k,
        larger.k as larger_k,
    from passes as smaller
    inner join passes as larger
        on
            smaller.lm_id = larger.lm_id
            and smaller.dataset = larger.dataset
            and smaller.setting_id = larger.setting_id
            and smaller.n_used = larger.n_used
    where
        smaller.k < larger.k
        and smaller.pass_at_k > larger.pass_at_k + 1e-9
)

select * from falls
