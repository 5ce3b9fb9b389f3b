-- One row per source, dataset and statistic; the paper's alone are no result of this warehouse.
select *
from rtc_vs_pass_at_1_v1
qualify bool_or(source <> 'published') over ()
order by
    {{ index_of("source", sources) }},
    {{ index_of("dataset", datasets) }},
    dataset,
    {{ index_of("statistic", statistics) }}
