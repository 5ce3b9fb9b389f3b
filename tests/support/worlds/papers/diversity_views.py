"""Views of diversity made by hand: two language models, one simulated, one resampled setting.

Two more have no value: one has too few samples, of the other no pair is measured.
"""

from warehouse.store.connection import writing

SIMILARITY = """
create or replace table sim_at_k_v{version} as
select
    lm_id, lm, '' as revision, simulated, dataset, '1' as dataset_version, 'r1' as release_id,
    setting_id, setting, scope, similarity, scorer, scorer as scorer_id, 10 as k,
    30 * (lm_id not in ('f', 'u'))::int as n_sim, 20 as n_csim,
    30 as n_total, 30 * (lm_id = 'f')::int as n_null_n_lt_k,
    {numbers}
from (values
    ('a', 'alpha_1 & co', false, 'humaneval', 'cold', 'T=0.2', 0.5::double),
    ('a', 'alpha_1 & co', false, 'humaneval', 'warm', 'T=0.8', 0.375),
    ('b', 'beta', false, 'humaneval', 'warm', 'T=0.8', null),
    ('b', 'beta', false, 'apps', 'warm', 'T=0.8', null),
    ('p', 'planted', true, 'humaneval', 'warm', 'T=0.8', 0.25),
    ('f', 'few samples', false, 'humaneval', 'warm', 'T=0.8', null),
    ('u', 'not measured', false, 'humaneval', 'warm', 'T=0.8', null)
) as entries (lm_id, lm, simulated, dataset, setting_id, setting, rate)
cross join (values
    ('scc_clone_80', '', 0.25::double), ('overlap_ratio', '', 0.5), ('embedding_v1', 'one', 0.75),
    ('embedding_v1', 'two', 0.875)
) as similarities (similarity, scorer, level)
cross join (values ('first_k'), ('all')) as scopes (scope)
where (similarity = 'overlap_ratio') = ({version} = 2) or similarity = 'embedding_v1'
"""
STRATEGIES = """
create or replace table strategies_v{version} as
select
    * exclude (of_strategy, of_difficulty) replace (
        pass_at_1 * of_strategy * of_difficulty as pass_at_1,
        sim / of_strategy as sim,
        setting_id || strategy as setting_id
    )
from sim_at_k_v{version}
cross join (values ('vanilla', 1.0), ('few_shot_cot', 1.25), ('planning', 0.5))
    as strategies (strategy, of_strategy)
cross join (values ('interview', 0.5), ('introductory', 2.0), ('all', 1.0))
    as difficulties (difficulty, of_difficulty)
where setting_id = 'warm' and (lm_id = 'a' or strategy = 'vanilla')
"""
NUMBERS = {
    "pass_at_1": "rate",
    "pass_at_k": "rate * 1.5",
    "sim": "if(setting_id = 'cold', level, level / 2)",
    "csim": "level",
    "dpass": "rate * (1 - level)",
}

AGREEMENT = """
create or replace table measure_agreement_v1 as
select
    'a' as lm_id, 'alpha_1 & co' as lm, '' as revision, false as simulated,
    'humaneval' as dataset, 'cold' as setting_id, 'T=0.2' as setting,
    'embedding_v1' as similarity_a, 'one' as scorer_a, 'scc_clone_80' as similarity_b,
    '' as scorer_b, 820 as n_pairs, 0.75 as pearson, 0.5 as pearson_lo, 0.875 as pearson_hi,
    0.0625 as pearson_within, 0.5 as spearman, 0.25 as kendall
"""


def make_diversity_views() -> None:
    """Create the views that tables and figures of diversity read."""
    columns = [
        f"{value} as {name}, {value} - 0.0625 as {name}_lo, {value} + 0.0625 as {name}_hi"
        for name, value in NUMBERS.items()
    ]
    with writing() as con:
        for version in (1, 2):
            con.execute(SIMILARITY.format(version=version, numbers=", ".join(columns)))
            con.execute(STRATEGIES.format(version=version))
        con.execute(AGREEMENT)
        con.execute("create or replace table headline_setting_v1 as select 1 as unused")
