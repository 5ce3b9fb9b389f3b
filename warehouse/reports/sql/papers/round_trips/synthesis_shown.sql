-- One row per language model, a block per dataset; the paper's Table 2 comes after ours.
with {{ named(rows) }},

stacked as (
    select
        {{ dataset_block() }} as block,
        name,
        row_number() over (
            order by {{ index_of("dataset", datasets) }}, dataset, simulated, name, lm_id
        ) as place,
        n_used,
        pass_at_1,
        pass_at_1_lo,
        pass_at_1_hi,
        rtc,
        rtc_lo,
        rtc_hi,
        lift,
        lift_lo,
        lift_hi
    from named
    union all by name
    {{ printed_round_trips("2", {
        "pass_at_1": "pass_at_1",
        "rtc": "rtc_pass",
        "lift": "lift_pass",
    }) }}
)

select * exclude (place)
from stacked
order by place asc, block desc, rtc asc, name asc
