-- One row per language model, dataset and setting: all-pass beside exact match.
with subjects as (
    select *
    from {{ view }}
    where n_used > 0 and measure = 'unskilled'
)

select
    passes.simulated,
    passes.lm_id,
    passes.lm,
    passes.revision,
    passes.dataset,
    passes.dataset_version,
    passes.setting_id,
    passes.setting,
    'paired' as notion,
    passes.measure,
    passes.n_used,
    passes.base_rate as all_pass,
    matches.n_used as n_used_exact_match,
    matches.base_rate as exact_match
from subjects as passes
inner join subjects as matches
    on
        passes.lm_id = matches.lm_id
        and passes.setting_id = matches.setting_id
        and passes.release_id = matches.release_id
where passes.notion = 'all_pass' and matches.notion = 'exact_match'
order by
    passes.simulated,
    passes.lm,
    passes.lm_id,
    {{ index_of("passes.dataset", datasets) }},
    passes.dataset,
    passes.setting
