-- One row per language model, a block per dataset; the paper's Table 3 comes after ours.
with {{ named(rows) }},

stacked as (
    select
        {{ dataset_block() }} as block,
        name,
        row_number() over (order by dataset, simulated, name, lm_id) as place,
        n_used,
        rtc,
        rtc_lo,
        rtc_hi,
        lift,
        lift_lo,
        lift_hi,
        edit_to_nl,
        edit_to_nl_lo,
        edit_to_nl_hi,
        nl_to_edit,
        nl_to_edit_lo,
        nl_to_edit_hi
    from named
    union all by name
    {{ printed_round_trips("3", {
        "rtc": "rtc_exact_match",
        "lift": "lift_exact_match",
        "edit_to_nl": "bleu",
        "nl_to_edit": "exact_match",
    }) }}
)

select * exclude (place)
from stacked
order by place, block, rtc, name
