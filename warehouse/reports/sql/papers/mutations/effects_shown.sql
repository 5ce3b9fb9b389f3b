-- One row per language model, a block per dataset: accuracy, then a column per mutation.
with {{ named(rows) }},

based as (
    select
        named.*,
        baselines.original_accuracy as baseline,
        baselines.n_completions as n_most
    from named
    inner join mutation_baseline_v{{ version }} as baselines
        on
            named.lm_id = baselines.lm_id
            and named.dataset = baselines.dataset
            and named.setting_id = baselines.setting_id
)

select
    {{ dataset_block() }} as block,
    name,
    any_value(n_most) as n_completions,
    any_value(baseline) as original,
    {% for mutation in found %}
    {{ where_it_is(effect, "mutation = " ~ literal(mutation), "effect_" ~ loop.index0) }},
    {% endfor %}
from based
group by dataset, simulated, name, lm_id
order by {{ index_of("dataset", datasets) }}, dataset, simulated, name, lm_id
