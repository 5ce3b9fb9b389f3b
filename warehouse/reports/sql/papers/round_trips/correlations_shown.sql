-- One row per dataset and statistic, a block per source, ours before the paper's.
select
    {{ label_of("source", sources, "null") }} as block,
    dataset,
    {{ label_of("statistic", statistics, "null") }} as statistic,
    n,
    pearson,
    pearson_lo,
    pearson_hi,
    spearman,
    spearman_p_exact
from (
    {{ rows }}
)
order by
    {{ index_of("source", sources) }},
    {{ index_of("dataset", datasets) }},
    dataset,
    {{ index_of("statistic", statistics.values()) }}
