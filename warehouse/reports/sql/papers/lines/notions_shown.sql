-- One row per language model and setting, a block per dataset; the paper's Table 4 comes last.
with {{ named(rows) }},

printed as (
    select
        lm as name,
        max(value) filter (where notion = 'both') / 100 as pass_and_match,
        max(value) filter (where notion = 'all_pass_only') / 100 as pass_only,
        max(value) filter (where notion = 'exact_match_only') / 100 as match_only,
        max(value) filter (where notion = 'neither') / 100 as neither
    from published_results
    where paper = 'calibration' and table_no = '4'
    group by lm
),

stacked as (
    select
        {{ line_block() }} as block,
        row_number() over (order by {{ line_place() }}) as place,
        name,
        {{ label_of("shown", shown, "'several'") }} as shown_before,
        n_both_labels,
        pass_and_match,
        pass_only,
        match_only,
        neither
    from named
    union all by name
    select
        'dypybench, as the paper prints' as block,
        1e9 as place,
        {{ literal(shown["function"]) }} as shown_before,
        *
    from printed
)

select
    block,
    name,
    shown_before,
    n_both_labels,
    pass_and_match,
    pass_only,
    match_only,
    neither
from stacked
order by place, name
