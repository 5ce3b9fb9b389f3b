-- One row per two similarities, a block per language model, dataset and setting.
with agreements as (
    {{ rows }}
)

select
    lm || ' on ' || dataset || ', ' || setting || if(simulated, ', simulated', '') as block,
    {{ label_of("similarity_a", similarities) }}
    || if(scorer_a = '', '', ' (' || scorer_a || ')') as name_a,
    {{ label_of("similarity_b", similarities) }}
    || if(scorer_b = '', '', ' (' || scorer_b || ')') as name_b,
    n_pairs,
    pearson,
    pearson_lo,
    pearson_hi,
    pearson_within,
    spearman,
    kendall
from agreements
order by
    simulated,
    dataset,
    lm,
    lm_id,
    setting,
    {{ index_of("similarity_a", similarities) }},
    {{ index_of("similarity_b", similarities) }},
    name_a,
    name_b
