-- One row per number printed and setting, a block per language model, ours beside the paper's.
with {{ named(rows) }}

select
    coalesce(
        rtrim(name) || ', ' || printed_lm || ' of the paper' || if(simulated, ', simulated', ''),
        'counts of pairs'
    ) as block,
    table_no,
    printed_dataset,
    if(
        list_sort(string_split(dataset, '+')) = list_sort(string_split(printed_dataset, '+')),
        null,
        dataset
    ) as dataset,
    nullif(concat_ws(' ', measure, '(' || scorer || ')', mutation, operator, notion), '') as what,
    statistic,
    setting || coalesce(' after ' || forward_setting, '') as asked,
    paper_departures,
    n_used,
    coalesce(printed, cast(round(published, 2) as varchar)) as theirs,
    ours,
    difference,
    case when agrees then 'yes' when not agrees then 'no' end as fits
from named
order by {{ order_beside() }}
