"""Calibration views made by hand: few subjects, round numbers, one simulated language model."""

from warehouse.connection import writing

WHO = """
create or replace temp table subject as
select
    lm_id, lm, revision, simulated, dataset, dataset || '1' as dataset_version,
    dataset || '1' as release_id, setting_id, setting, notion, measure, n_used,
    n_used as n_total, base_rate, brier, 1 - brier / (base_rate * (1 - base_rate)) as skill_score,
    ece, auroc
from (values
    ('a', 'alpha_1 & co', '', false),
    ('b', 'beta', '', false),
    ('p', 'planted', '', true)
) as lms (lm_id, lm, revision, simulated)
cross join (values
    ('humaneval', 'greedy', 'completion, T=0', 'all_pass', 164::bigint, 0.5),
    ('humaneval', 'warm', 'completion, T=0.8', 'all_pass', 1640, 0.4),
    ('defects4j', 'greedy', 'completion, T=0', 'all_pass', 120, 0.2),
    ('defects4j', 'greedy', 'completion, T=0', 'exact_match', 120, 0.1),
    ('manysstubs4j', 'greedy', 'completion, T=0', 'exact_match', 3000, 0.25)
) as entries (dataset, setting_id, setting, notion, n_used, base_rate)
cross join (values
    ('unskilled', null, 0.0, 0.5),
    ('total_prob', 0.15, 0.135, 0.625),
    ('verbalized', 0.25, 0.3, 0.55)
) as measures (measure, score, ece, auroc)
cross join lateral (select coalesce(score, base_rate * (1 - base_rate)) as brier)
where lms.lm_id <> 'b' or entries.dataset = 'humaneval'
"""

VIEWS = """
create or replace table calibration_raw_v1 as select * from subject;
create or replace table calibration_scaled_v1 as
select *, 'platt' as rescaler, case when skill_score >= 0.05 then ece end as ece_reported
from subject
"""

SETTINGS = """
insert into raw.setting by name
select
    id as setting_id, 'synthesis' as task, 'completion' as style, 'original' as prompt_kind,
    t as temperature, '[]' as stop, '' as label, false as resampled, 'r' as run_id
from (values ('greedy', 0.0), ('warm', 0.8)) as settings (id, t)
"""


def make_calibration_views() -> None:
    """Create calibration_raw_v1 and calibration_scaled_v1, and the settings they name."""
    with writing() as con:
        con.execute(WHO)
        con.execute(VIEWS)
        con.execute(SETTINGS)
