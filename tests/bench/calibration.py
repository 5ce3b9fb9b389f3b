"""Build the calibration views over planted rows and print what it costs, and what loops would.

    python -m tests.bench.calibration [--rows 1000000] [--measures 17] [--lms 20] [--keep FOLDER]

The rows are made by SQL: 20 language models x 1,138 problems (two data sets, as many as HumanEval
and MBPP have) x 44 samples; with ``--lms 2 --rows 100000`` a tenth of it, in groups of the same
size. Each sample has 30 token log-probabilities and three reflections: two
stated percentages and one true/false answer. The curves that `assay calibrate` would fit are made
up (a slope near 1, fifty isotonic steps): here they are only applied. The loops do the same work as
researchers do it, with pandas and scikit-learn. They take one group after the other, over the rows
of one language model. Groups are equal in size and independent, so all of them take 20 times as
long. Views read the raw rows, so the ratio counts the loops' reading too; a second one does not.

Views and loops always measure the same. ``--measures 17`` is everything: six measures of version 1
and eleven of version 2. ``--measures 8`` plants answers without a token that ends them, so that the
two measures with that token are not applicable. Eight remain: average, total, geometric mean and
smallest probability, stated, true or false, the same normalised, and length; six of them in version
1 too, and the stated one of version 2 also with the base rate for what could not be read.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from models.words import ENOUGH_ROWS, ENOUGH_SPLITS, MOST_SPLITS, ROWS_RESCALED
from tests.bench.frame import (
    cpu_s,
    in_a_process,
    mib_on_disk,
    peak_mib,
    plant_rows,
    planted_warehouse,
)
from tests.bench.others.calibration import loops
from tests.bench.views import DEAREST, cpu_by_node

LMS = 20
SIZES = {"planted_a": 164, "planted_b": 974}
N_TOKENS = 30
# every calibration view; they are built with all they read
NAMES = (
    *("confidence", "calibration_raw", "calibration_scaled", "calibration_by_correctness"),
    *("reliability_bins", "reliability_points", "roc"),
)

ANSWERS = """
create temp macro uniform(x) as hash(x) / 18446744073709551616.0;

insert into raw.setting by name
select
    md5('setting' || kind) as setting_id, task, 'solution' as style, kind as prompt_kind,
    0.8 as temperature, 0.95 as top_p, 512 as max_tokens, '[]' as stop, null as seed,
    false as resampled, '' as label, md5('run') as run_id,
from (values
    ('synthesis', 'original'), ('reflection', 'verbalized_v1'), ('reflection', 'verbalized_v2'),
    ('reflection', 'ask_tf_v1')
) as t(task, kind);

-- a program right or wrong of each problem: sharing them keeps execution out of what is measured
insert into raw.candidate by name
select
    md5(concat_ws(':', 'c', number, verdict)) as candidate_id, 'return ' || verdict as source,
    true as parses, 20 as n_characters, md5('run') as run_id,
from problem, (values ('passed'), ('failed')) as t(verdict);

insert into raw.program by name
select
    md5(concat_ws(':', 'q', number, verdict)) as program_id,
    md5(concat_ws(':', 'c', number, verdict)) as candidate_id,
    md5('problem' || number) as problem_id, md5('admission' || number) as admission_id,
    md5('run') as run_id,
from problem, (values ('passed'), ('failed')) as t(verdict);

insert into raw.outcome by name
select
    md5(concat_ws(':', 'q', number, verdict)) as program_id, 1 as attempt, verdict, 5 as n_tests,
    if(verdict = 'passed', 5, 2) as n_passed, 0.01 as cpu_s, 0.02 as wall_s, 20000 as max_rss_kb,
    'exit' as why_ended, null as message, 'ns+seccomp' as isolation, 'split' as integrity,
    md5('run') as run_id,
from problem, (values ('passed'), ('failed')) as t(verdict);

-- a sample's confidence is known to the model; how often it is right bends away from it
create temp table sample as
select
    md5('lm' || lm) as lm_id, number, s as sample_index,
    md5(concat_ws(':', 'g', lm, number, s)) as generation_id,
    hash(lm, number, s) as seed,
    0.02 + 0.96 * uniform(concat_ws(':', 'p', lm, number, s // 4)) as p,
    uniform(concat_ws(':', 'u', lm, number, s)) < pow(p, 1.5) as passed,
from (select i as lm from lm), problem, range({samples}) as b(s);

insert into raw.generation by name
select
    generation_id, lm_id, md5('problem' || number) as problem_id,
    md5('variant' || number) as variant_id, md5('settingoriginal') as setting_id, sample_index,
    null as parent_generation_id, 'planted' as source, generation_id as text_key,
    'stop' as finish_reason, 100 as n_prompt_tokens, {tokens} as n_completion_tokens,
    1.0 as latency_s, null as cost_usd, null as claimed_pass, md5('run') as run_id,
from sample;

insert into raw.generation by name
select
    md5(generation_id || kind) as generation_id, lm_id, md5('problem' || number) as problem_id,
    md5('variant' || number) as variant_id, md5('setting' || kind) as setting_id,
    0 as sample_index, generation_id as parent_generation_id, 'planted' as source,
    md5(generation_id || kind) as text_key, 'stop' as finish_reason, 150 as n_prompt_tokens,
    2 as n_completion_tokens, 0.2 as latency_s, null as cost_usd, null as claimed_pass,
    md5('run') as run_id,
from sample, (values ('verbalized_v1'), ('verbalized_v2'), ('ask_tf_v1')) as t(kind);

insert into raw.generation_text by name
select
    generation_id, text as raw_text, text as kept_text, 'whole' as kept_rule,
    md5('run') as run_id,
from (
    select generation_id, repeat('y', 10 + cast(seed % 400 as integer)) as text from sample
);

insert into raw.token_logprob by name
select
    generation_id,
    list_transform(range({listed}), lambda j: 'token') as tokens,
    list_transform(
        range({listed}), lambda j: ln(p) * 2 * (hash(seed + cast(j as ubigint)) % 1000) / 1000.0
    ) as logprobs,
    list_transform(range({listed}), lambda j: j < {tokens}) as kept,
    null as top_tokens, null as top_logprobs, null as cumulative_logprob, md5('run') as run_id,
from (select generation_id, seed % 1000000000000 as seed, p from sample);

insert into raw.token_logprob by name
select
    md5(generation_id || 'ask_tf_v1') as generation_id, ['True', '.'] as tokens,
    [ln(0.9 * p), -0.1] as logprobs, [true, true] as kept,
    [
        ['True', 'False', ' True', ' false', 'Yes'], ['.', chr(10), ' because', '!', ',']
    ] as top_tokens,
    [
        list_transform(
            [ln(0.9 * p), ln(0.9 * (1 - p)), ln(0.05 * p), ln(0.05 * (1 - p)), -7.5],
            lambda l: round(l, 6)
        ),
        [-0.1, -2.5, -4.0, -6.0, -7.0]
    ] as top_logprobs,
    null as cumulative_logprob, md5('run') as run_id,
from sample;

insert into raw.reflection_reading by name
select
    md5(generation_id || kind || 'read') as reading_id,
    md5(generation_id || kind) as generation_id, kind as reader,
    if(seed % 50 = 0, null, round(p, 2)) as value, if(seed % 50 = 0, null, 'R1') as rule,
    if(seed % 50 = 0, 'parse_fail', null) as null_reason, md5('run') as run_id,
from sample, (values ('verbalized_v1'), ('verbalized_v2')) as t(kind);

insert into raw.evaluation by name
select
    md5('e' || generation_id) as evaluation_id, generation_id,
    md5('problem' || number) as problem_id,
    md5(concat_ws(':', 'c', number, if(passed, 'passed', 'failed'))) as candidate_id,
    md5(concat_ws(':', 'q', number, if(passed, 'passed', 'failed'))) as program_id,
    md5('run') as run_id,
from sample;
"""


def plant(path: Path, n_rows: int, n_lms: int, *, stop_token: bool) -> None:
    """Write about ``n_rows`` judged generations, and what was asked about them.

    With ``stop_token`` a token that is not kept ends every answer.
    """
    samples = max(1, round(n_rows / (n_lms * sum(SIZES.values()))))
    listed = N_TOKENS + stop_token
    answers = ANSWERS.format(samples=samples, tokens=N_TOKENS, listed=listed)
    plant_rows(path, SIZES, n_lms, answers)


FITS = """
insert into raw.kfold_order by name
select
    md5('kfold' || n_used) as order_id, n_used as n_rows, 42 as seed,
    list_transform(range(n_used), lambda i: cast(hash(i) % 5 as integer)) as folds,
    'bench' as library, md5('run') as run_id,
from (
    select distinct n_used from calibration_subjects_v1 where version = 1
);

insert into raw.calibration_fold by name
select
    md5(split_key || problem_id) as fold_id, split_key, problem_id,
    list_transform(
        range({most}), lambda s: cast(hash(problem_id || ':' || s) % 5 as integer)
    ) as folds,
    'bench' as library, md5('run') as run_id,
from (
    select distinct subject.split_key, problem.problem_id
    from calibration_subjects_v1 as subject
    inner join raw.problem as problem on subject.release_id = problem.release_id
    where subject.version = 2
);

create temp table fold as
select 1 as version, 42 as fold_seed, k as fold from range(5) as t(k)
union all
select 2 as version, s as fold_seed, k as fold from range({most}) as a(s), range(5) as b(k)
union all
select 2 as version, null as fold_seed, null as fold;

insert into raw.calibration_fit by name
select
    md5(concat_ws(':', subject_key, rescaler, fold_seed, fold)) as fit_id, subject_key, input_key,
    rescaler, fold_seed, fold,
    if(rescaler = 'isotonic', null, 0.9 + hash(subject_key, fold_seed, fold) % 100 / 500.0)
        as slope,
    case rescaler
        when 'platt' then -0.5 + hash(fold_seed, fold) % 100 / 500.0 when 'temperature' then 0.0
    end as intercept,
    if(rescaler = 'isotonic', list_transform(range(50), lambda j: j / 49.0), null) as steps_x,
    if(
        rescaler = 'isotonic',
        list_transform(
            range(50), lambda j: pow(j / 49.0, 1.4 + hash(fold_seed, fold) % 100 / 500.0)
        ),
        null
    ) as steps_y,
    n_used * 4 // 5 as n_train, n_positive * 4 // 5 as n_positive, null as flag,
    null as null_reason, 'bench' as library, md5('run') as run_id,
from calibration_subjects_v1
inner join fold using (version)
inner join (values
    (1, 'platt'), (2, 'platt'), (2, 'temperature'), (2, 'isotonic')
) as t(version, rescaler) using (version)
where
    n_used > 0
    -- as many splits as `assay calibrate` makes of so many rows
    and (
        version = 1
        or coalesce(fold_seed, 0) < greatest(
            1, least({most}, greatest({splits}, {rows} // n_used), {rescaled} // n_used)
        )
    );
"""


def fit(path: Path) -> dict[str, int]:
    """Build what curves are fitted to, and put made-up curves beside it."""
    from tests.support.steps import build
    from warehouse.store.connection import writing

    build(path, select="+calibration_subjects")
    fits = FITS.format(
        most=MOST_SPLITS, splits=ENOUGH_SPLITS, rows=ENOUGH_ROWS, rescaled=ROWS_RESCALED
    )
    with writing(path) as con:
        con.execute(fits)
        counted = con.execute(
            """
            select count(*), count(distinct measure), sum(n_used)::bigint
            from calibration_subjects_v1
            where n_used > 0
            """
        ).fetchall()[0]
        n_fits = con.execute("select count(*) from raw.calibration_fit").fetchall()[0][0]
    return dict(zip(("subjects", "measures", "pairs", "fits"), (*counted, n_fits), strict=True))


def measure(path: Path) -> dict[str, Any]:
    """Build all calibration views in this process and time them."""
    from tests.support.steps import build
    from warehouse.store.connection import reading

    began, began_cpu_s = time.monotonic(), cpu_s()
    with cpu_by_node() as costs:
        report = build(path, select=" ".join(f"+{name}" for name in NAMES))
    seconds, build_cpu_s = time.monotonic() - began, cpu_s() - began_cpu_s
    dearest = sorted(costs, key=lambda name: -costs[name])[:DEAREST]
    with reading(path) as con:
        counts = {
            view: con.execute(f"select count(*) from {view}").fetchall()[0][0]
            for view in report.views
            if view.startswith(NAMES)
        }
    return {
        "build_s": round(seconds, 1),
        "build_cpu_s": round(build_cpu_s, 1),
        "duckdb_cpu_s": round(sum(costs.values()), 1),
        "dearest_cpu_s": {name: round(costs[name], 2) for name in dearest},
        "peak_rss_mib": round(peak_mib()),
        "views": len(report.views),
        "tests": len(report.tests_passed),
        "rows": counts,
        "warehouse_mib": mib_on_disk(path),
    }


def main() -> None:
    """Parse, plant, measure each part in a separate process, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--measures", type=int, choices=[8, 17], default=17)
    parser.add_argument("--lms", type=int, default=LMS)
    parser.add_argument("--keep", type=Path, help="folder for the warehouse, kept afterwards")
    parser.add_argument("--part", choices=["measure", "loops"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.part:
        path = asked.keep / "warehouse.duckdb"
        print(json.dumps(measure(path) if asked.part == "measure" else loops(path)))
        return

    def filled(path: Path) -> None:
        plant(path, asked.rows, asked.lms, stop_token=asked.measures == 17)
        print(f"curves: {fit(path)}", file=sys.stderr)

    with planted_warehouse(asked.keep, filled) as path:
        found: dict[str, Any] = {
            part: in_a_process("calibration", f"--part={part}", f"--keep={path.parent}")
            for part in ("measure", "loops")
        }
        made = asked.lms * found["loops"]["loops_s"]
        read = asked.lms * found["loops"]["read_s"]
        found["ratio"] = round((read + made) / found["measure"]["build_s"], 1)
        found["ratio_without_reading"] = round(made / found["measure"]["build_s"], 1)
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
