"""Round-trip views made by hand: few language models, round numbers, simulated ones apart."""

from warehouse.store.connection import writing

# Two real language models and four simulated ones, each with round trips under two settings.
WHO = """
create or replace temp table subject as
select
    lm_id, lm, '' as revision, simulated, setting_id, setting, lm_id as forward_lm_id,
    'told' as forward_setting_id, 'completion, T=0.8' as forward_setting, skill::double as skill
from (values
    ('a', 'alpha_1 & co', false, 0.5), ('b', 'beta', false, 0.25), ('p', 'planted', true, 0.75),
    ('q', 'planted-2', true, 0.5), ('r', 'planted-3', true, 0.25), ('s', 'planted-4', true, 0.125)
) as lms (lm_id, lm, simulated, skill)
cross join (values
    ('cold', 'completion, T=0.1'), ('warm', 'completion, T=0.8')
) as settings (setting_id, setting)
"""

NUMBERS = """
skill as rtc, skill - 0.05 as rtc_lo, skill + 0.05 as rtc_hi, 0.125::double as baseline,
skill - 0.125 as lift, skill - 0.175 as lift_lo, skill - 0.075 as lift_hi
"""

BESIDE = """
create or replace table rtc_beside_pass_at_1_v{version} as
select
    subject.*, dataset, '1' as dataset_version, dataset || '1' as release_id, {numbers},
    n::bigint as n_used, n::bigint as n_lift,
    if(dataset = 'humaneval' or simulated, skill + 0.125, null) as pass_at_1,
    skill as pass_at_1_lo, skill + 0.25 as pass_at_1_hi
from subject
cross join (values ('mbpp', 974), ('humaneval', 164)) as datasets (dataset, n)
where setting_id = 'cold' and ({version} = 1 or dataset = 'mbpp')
"""

CORRELATIONS = """
create or replace table rtc_vs_pass_at_1_v1 as
select * from (values
    ('published', 'humaneval', 'lift_pass', 5::bigint, 0.875::double, 0.03::double, 0.99::double,
     1.0::double, 0.0167::double),
    ('published', 'humaneval', 'rtc_pass', 5, 0.9473, 0.396, 0.997, 0.9, 0.0833),
    ('ours_simulated', 'humaneval', 'rtc_pass', 4, 1.0, 1.0, 1.0, 1.0, 0.0833),
    ('ours', 'humaneval', 'rtc_pass', 2, null, null, null, null, null)
) as rows (
    source, dataset, statistic, n, pearson, pearson_lo, pearson_hi, spearman, spearman_p_exact
)
"""

EDITING = """
create or replace table rtc_editing_v{version} as
select
    subject.*, 'codereviewer' as dataset, 'exact_match' as similarity, {numbers},
    996::bigint as n_used
from subject
"""

COMPANIONS = """
create or replace table edit_companions_v1 as
select
    subject.* exclude (forward_lm_id, forward_setting_id, forward_setting),
    'codereviewer' as dataset, companion, similarity, share * skill as value,
    share * skill - 0.01 as value_lo,
    share * skill + 0.01 as value_hi, 900::bigint as n_used
from subject
cross join (values
    ('edit_to_nl', 'bleu', 0.125), ('nl_to_edit', 'exact_match', 0.5),
    ('nl_to_edit', 'exact_match_spaced', 0.75)
) as companions (companion, similarity, share)
where lm_id <> 'b'
"""

PROJECTS = """
create or replace table rtc_by_project_v1 as
select
    subject.*, similarity, project, mean_over,
    if(project = '(all)', null, project || '-regions') as dataset,
    if(project = '(all)', null, 'MIT') as license, {numbers}, n::bigint as n_used
from (
    select subject.* replace (greatest(0, skill - easy) as skill), project, mean_over, n
    from subject
    cross join (values
        ('toolz', 'regions', 100, 0.0), ('tiny_db', 'regions', 90, 0.125),
        ('funcy', 'regions', 80, 0.25), ('attrs', 'regions', 100, 0.375),
        ('(all)', 'regions', 370, 0.125), ('(all)', 'projects', 370, 0.2)
    ) as projects (project, mean_over, n, easy)
) as subject
cross join (values ('pass'), ('bleu')) as similarities (similarity)
where lm_id <> 'b' or project <> 'attrs'
"""

PAIRS = """
create or replace table rtc_project_correlation_v1 as
select * from (values
    ('a', 'alpha_1 & co', '', 'b', 'beta', '', false, 3::bigint, null, null, null, null,
     'n_lt_min'),
    ('p', 'planted', '', 'q', 'planted-2', '', true, 4, 0.875::double, 0.25::double, 0.99::double,
     1.0::double, null)
) as rows (
    lm_id, lm, revision, other_lm_id, other_lm, other_revision, simulated, n_projects, pearson,
    pearson_lo, pearson_hi, spearman, null_reason
)
"""

HEADLINES = """
create or replace table headline_round_trip_v1 as
select
    family, subject.lm_id, dataset, setting_id,
    if(family like '%to%v1' and family not like 'synth%', null, forward_setting_id)
        as forward_setting_id,
    if(setting_id = 'cold', 1, 2) as rank
from subject
cross join (values
    ('editing_v1', 'codereviewer'), ('editing_v2', 'codereviewer'), ('projects_v1', '(all)'),
    ('edit_to_nl_v1', 'codereviewer'), ('nl_to_edit_v1', 'codereviewer')
) as families (family, dataset);
create or replace table headline_setting_v1 as select 'leaderboard' as family
"""


PRINTED = """
create or replace table published_results as
select 'round_trip' as paper, table_no, lm, dataset, statistic, value::double as value
from (values
    ('2', 'Nano', 'humaneval', 'pass_at_1', 33.4), ('2', 'Nano', 'humaneval', 'rtc_pass', 18.9),
    ('2', 'Nano', 'humaneval', 'lift_pass', 3.7), ('2', 'Nano', 'arcade', 'rtc_pass', 7.7),
    ('2', 'Nano', 'arcade', 'lift_pass', null), ('3', 'Nano', 'codereviewer', 'bleu', 0.5),
    ('3', 'Nano', 'codereviewer', 'rtc_exact_match', 5.2),
    ('3', 'Nano', 'codereviewer', 'lift_exact_match', 4.8),
    ('3', 'Nano', 'codereviewer', 'exact_match', 11.7)
) as rows (table_no, lm, dataset, statistic, value)
"""


def make_round_trip_views() -> None:
    """Create the views that tables and figures of round trips read."""
    with writing() as con:
        con.execute(WHO)
        for version in (1, 2):
            con.execute(BESIDE.format(version=version, numbers=NUMBERS))
            con.execute(EDITING.format(version=version, numbers=NUMBERS))
        con.execute(CORRELATIONS)
        con.execute(COMPANIONS)
        con.execute(PROJECTS.format(numbers=NUMBERS))
        con.execute(PAIRS)
        con.execute(HEADLINES)
        con.execute(PRINTED)
