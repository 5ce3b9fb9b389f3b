-- One row per language model, dataset and k, under one setting each.
select
    curve.dataset,
    curve.simulated,
    curve.lm_id,
    curve.setting,
    trim(curve.lm || ' ' || curve.revision) as name,
    curve.k,
    curve.pass_at_k,
    curve.pass_at_k_lo,
    curve.pass_at_k_hi,
    curve.n_used,
    arg_min(curve.pass_at_k, curve.k) over (partition by curve.dataset, curve.lm_id) as best
from {{ view }} as curve
inner join headline_setting_v1 as shown
    on
        shown.family = 'leaderboard'
        and curve.lm_id = shown.lm_id
        and curve.dataset = shown.dataset
        and curve.setting_id = shown.setting_id
where
    {% if wanted.setting_id is none %}
    shown.rank = 1
    {% else %}
    curve.setting_id = {{ literal(wanted.setting_id) }}
    {% endif %}
    and {{ is_asked(wanted, "curve.") }}
    {% if wanted.k %}
    and curve.k in ({{ wanted.k | map("int") | join(", ") }})
    {% endif %}
