-- under the limits as they are, pass@1 is that of pass_at_k
select
    sensitivity.lm_id,
    sensitivity.dataset,
    sensitivity.setting_id,
    sensitivity.pass_at_1,
    passes.pass_at_k,
from {{ ref('limit_sensitivity', v=1) }} as sensitivity
inner join {{ ref('pass_at_k', v=1) }} as passes
    on
        sensitivity.lm_id = passes.lm_id
        and sensitivity.dataset = passes.dataset
        and sensitivity.setting_id = passes.setting_id
where
    sensitivity.factor = 1 and passes.k = 1
    and abs(sensitivity.pass_at_1 - passes.pass_at_k) > 1e-12
