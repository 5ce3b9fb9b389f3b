"""Calibration views made by hand: few subjects, round numbers, one simulated language model."""

from warehouse.store.connection import writing

WHO = """
create or replace temp table subject as
select
    lm_id, lm, revision, simulated, dataset, dataset || '1' as dataset_version,
    dataset || '1' as release_id, setting_id, setting, notion, measure, n_used,
    n_used as n_total, base_rate::double as base_rate, brier::double as brier,
    (1 - brier / (base_rate * (1 - base_rate)))::double as skill_score,
    ece::double as ece, auroc::double as auroc
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

# Every subject alike: 2 k samples in bin k, half of them right; the first and last bin are empty.
BINS = """
create or replace table reliability_bins_v1 as
select
    subject.* exclude (n_used, n_total, base_rate, brier, skill_score, ece, auroc),
    'none' as rescaler, bin, lo, hi, n, mean_p, frac_correct,
    case when n > 0 then 0.25::double end as wilson_lo,
    case when n > 0 then 0.75::double end as wilson_hi
from subject
cross join (
    select
        bin, bin / 10 as lo, (bin + 1) / 10 as hi,
        case when bin in (0, 9) then 0 else 2 * bin end as n,
        case when bin not in (0, 9) then bin / 10 + 0.03 end as mean_p,
        case when bin not in (0, 9) then 0.5::double end as frac_correct
    from range(10) as bins (bin)
)
where measure <> 'unskilled';
create or replace table reliability_points_v1 as
select
    subject.* exclude (n_used, n_total, base_rate, brier, skill_score, ece, auroc),
    bin, bin / 5 as lo, (bin + 1) / 5 as hi, 14 as n, bin / 5 + 0.1 as mean_p,
    0.3 + bin / 20 as frac_correct
from subject
cross join range(5) as bins (bin)
where measure <> 'unskilled'
"""

# total_prob puts most right ones first, verbalized has one score for all.
ROC = """
create or replace table roc_v1 as
select
    subject.* exclude (n_used, n_total, base_rate, brier, skill_score, ece, auroc),
    point, 1 - point / 4 as threshold, (point - 1) * (point - 1) / 16 as false_share,
    (point - 1) / 4 as true_share
from subject
cross join range(1, 5) as points (point)
where measure = 'total_prob' or (measure = 'verbalized' and point = 1)
"""

HEADLINES = """
create or replace table headline_setting_v1 as
select
    'calibration' as family, lm_id, dataset, release_id, setting_id, min(notion) as notion,
    if(setting_id = 'greedy', 1, 2) as rank
from subject
group by all
"""

SETTINGS = """
insert into raw.setting by name
select
    id as setting_id, 'synthesis' as task, 'completion' as style, 'original' as prompt_kind,
    t as temperature, '[]' as stop, '' as label, false as resampled, 'r' as run_id
from (values ('greedy', 0.0), ('warm', 0.8)) as settings (id, t)
"""


# Two projects and both together, with the docstring and without; of beta nothing.
LINES = """
create or replace table line_completion_v1 as
select
    lm_id, lm, '' as revision, simulated, dataset, n_datasets, setting_id, 'T=0' as setting,
    kind as shown, 0.5::double as all_pass, 0.25::double as exact_match,
    0.1875 as pass_and_match, 0.3125 as pass_only, 0.0625 as match_only, 0.4375 as neither,
    if(kind = 'function', 0.375, null) as all_pass_without_docstring,
    if(kind = 'function', 0.125, null) as exact_match_without_docstring,
    if(kind = 'function', 0.125, null) as all_pass_docstring_effect,
    if(kind = 'function', 0.0625, null) as all_pass_docstring_effect_lo,
    if(kind = 'function', 0.1875, null) as all_pass_docstring_effect_hi,
    if(kind = 'function', 0.125, null) as exact_match_docstring_effect,
    if(kind = 'function', -0.0625, null) as exact_match_docstring_effect_lo,
    if(kind = 'function', 0.3125, null) as exact_match_docstring_effect_hi,
    n as n_lines, n as n_both_labels
from (values ('a', 'alpha_1 & co', false), ('p', 'planted', true)) as lms (lm_id, lm, simulated)
cross join (values ('toolz-lines', 1, 8::bigint), ('*-lines', 2, 16)) as ds (dataset, n_datasets, n)
cross join (
    values ('whole', 'function'), ('bare', 'function_without_docstring')
) as asked (setting_id, kind);
create or replace table published_results as
select * from (values
    ('calibration', '3', 'Codex', 'all_pass', 'with docstring', 32.96::double),
    ('calibration', '3', 'Codex', 'all_pass', 'no docstring', 21.69),
    ('calibration', '3', 'Codex', 'exact_match', 'with docstring', 23.6),
    ('calibration', '3', 'Codex', 'exact_match', 'no docstring', 17.77),
    ('calibration', '4', 'GPT-3.5', 'both', 'with docstring', 17.06),
    ('calibration', '4', 'GPT-3.5', 'all_pass_only', 'with docstring', 16.16),
    ('calibration', '4', 'GPT-3.5', 'exact_match_only', 'with docstring', 6.89),
    ('calibration', '4', 'GPT-3.5', 'neither', 'with docstring', 59.89),
    ('round_trip', '3', 'Nano', 'all_pass', 'with docstring', 1.0)
) as rows (paper, table_no, lm, notion, setting, value)
"""


def make_calibration_views() -> None:
    """Create version 1 of the views of calibration and of lines, and the settings they name."""
    with writing() as con:
        con.execute(WHO)
        con.execute(VIEWS)
        con.execute(BINS)
        con.execute(ROC)
        con.execute(HEADLINES)
        con.execute(SETTINGS)
        con.execute(LINES)
