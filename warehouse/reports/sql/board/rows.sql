-- One row per entry of the leaderboard; pass@k at k other than its own comes from the curve.
with board as (
    select *
    from {{ view }}
)

select
    board.*,
    {% for k in ks %}
    of_{{ k }}.pass_at_k as pass_at_{{ k }},
    of_{{ k }}.pass_at_k_lo as pass_at_{{ k }}_lo,
    of_{{ k }}.pass_at_k_hi as pass_at_{{ k }}_hi,
    {% endfor %}
from board
{% for k in ks %}
left join pass_at_k_curve_v1 as of_{{ k }}
    on
        board.lm_id = of_{{ k }}.lm_id
        and board.setting_id = of_{{ k }}.setting_id
        and board.release_id = of_{{ k }}.release_id
        and of_{{ k }}.k = {{ k }}
{% endfor %}
where
    {% if wanted.dataset is none %}
    true
    {% else %}
    board.dataset = {{ literal(wanted.dataset) }}
    {% endif %}
    {% if wanted.simulated is not none %}
    and board.simulated = {{ wanted.simulated | lower }}
    {% endif %}
order by {{ listed(order, "board.") }}
