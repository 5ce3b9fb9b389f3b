"""Build the calibration views over planted rows and print what it costs, and what loops would.

    python -m tests.bench.calibration [--rows 1000000] [--measures 17] [--keep FOLDER]

The rows are made by SQL: 20 language models x 1,138 problems (two data sets, as many as HumanEval
and MBPP have) x 44 samples, each with 30 token log-probabilities, and three reflections on each:
two stated percentages and one true/false answer. The curves that `assay calibrate` would fit are
made up (a slope near 1, fifty isotonic steps): here they are only applied. The loops do the same
work as researchers do it, with pandas and scikit-learn, one group after the other, over the rows of
one language model; groups are equal in size and independent, so all of them take 20 times as long.

Views and loops always measure the same. ``--measures 17`` is everything: six measures of version 1
and eleven of version 2. ``--measures 8`` plants answers without a token that ends them, so that the
two measures with that token are not applicable and eight remain: average, total, geometric mean
and smallest probability, stated, true or false, the same normalised, and length; six of them in
version 1 too, and the stated one of version 2 also with the base rate for what could not be read.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

LMS = 20
SIZES = {"planted_a": 164, "planted_b": 974}
N_TOKENS = 30
# every calibration view; they are built with all they read
NAMES = (
    *("confidence", "calibration_raw", "calibration_scaled", "calibration_by_correctness"),
    *("reliability_bins", "reliability_points", "roc"),
)

PLANT = """
create temp macro uniform(x) as hash(x) / 18446744073709551616.0;

create temp table problem as
select 'planted_a' as dataset, i as number from range({a}) as t(i)
union all
select 'planted_b' as dataset, {a} + i as number from range({b}) as t(i);

insert into raw.run
select md5('run'), 'execute', now(), 'bench', null, null, '{{}}', '{{}}', '{{}}';

insert into raw.dataset_release
select md5(dataset), dataset, '1', 'bench', 'none', '', count(*), md5('run')
from problem group by dataset;

insert into raw.problem by name
select
    md5('problem' || number) as problem_id, md5(dataset) as release_id, dataset,
    dataset || '/' || number as task_id, number as position, 'f' as entry_point,
    'def f(x):' as prompt, repeat('x', 20 + number % 300) as reference, '' as suffix,
    '' as setup_code, 'assert f(1) == 1' as test_code, 'exact' as compare, 0.0 as atol,
    null as difficulty, '[]' as tags, md5('t' || number) as tests_key, md5('run') as run_id,
from problem;

insert into raw.variant by name
select
    md5('variant' || number) as variant_id, md5('problem' || number) as problem_id,
    'original' as kind, null as parent_variant_id, 'def f(x):' as prompt, null as seed,
    md5('run') as run_id,
from problem;

insert into raw.admission by name
select
    md5('admission' || number) as admission_id, md5('problem' || number) as problem_id,
    'calibrated' as policy, 'split' as mode, null as reason, 0.01 as reference_cpu_s,
    1.0 as cpu_limit_s, 5.0 as wall_limit_s, 512 as memory_limit_mb, null as outputs,
    '1' as judge_version, md5('run') as run_id,
from problem;

insert into raw.canary by name
select
    md5('canary' || number) as canary_id, md5('run') as run_id,
    md5('problem' || number) as problem_id, 'passed' as verdict, 0.01 as cpu_s, null as message,
from problem;

insert into raw.language_model by name
select
    md5('lm' || i) as lm_id, 'planted-' || i as lm, '' as revision, true as simulated,
    null as n_parameters, null as planted, md5('run') as run_id,
from range({lms}) as t(i);

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
from range({lms}) as a(lm), problem, range({samples}) as b(s);

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
    null as top_logprobs, null as cumulative_logprob, md5('run') as run_id,
from (select generation_id, seed % 1000000000000 as seed, p from sample);

insert into raw.token_logprob by name
select
    md5(generation_id || 'ask_tf_v1') as generation_id, ['True', '.'] as tokens,
    [ln(0.9 * p), -0.1] as logprobs, [true, true] as kept,
    format(
        '[[["True",{{:.6f}}],["False",{{:.6f}}],[" True",{{:.6f}}],[" false",{{:.6f}}],'
        '["Yes",-7.5]],'
        '[[".",-0.1],["\\n",-2.5],[" because",-4.0],["!",-6.0],[",",-7.0]]]',
        ln(0.9 * p), ln(0.9 * (1 - p)), ln(0.05 * p), ln(0.05 * (1 - p))
    ) as top_logprobs,
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


def plant(path: Path, n_rows: int, *, stop_token: bool) -> None:
    """Write about ``n_rows`` judged generations, and what was asked about them.

    With ``stop_token`` a token that is not kept ends every answer.
    """
    from warehouse.store.connection import writing

    samples = max(1, round(n_rows / (LMS * sum(SIZES.values()))))
    with writing(path) as con:
        con.execute("set preserve_insertion_order = false")
        con.execute(
            PLANT.format(
                a=SIZES["planted_a"],
                b=SIZES["planted_b"],
                lms=LMS,
                samples=samples,
                tokens=N_TOKENS,
                listed=N_TOKENS + stop_token,
            )
        )


FITS = """
insert into raw.kfold_order by name
select
    md5('kfold' || n_used) as order_id, n_used as n_rows, 42 as seed,
    list_transform(range(n_used), lambda i: cast(hash(i) % 5 as integer)) as folds,
    'bench' as library, md5('run') as run_id,
from (
    select distinct n_used from intermediate.int_calibration_subject where version = 1
);

insert into raw.calibration_fold by name
select
    md5(split_key || problem_id) as fold_id, split_key, problem_id,
    list_transform(
        range(20), lambda s: cast(hash(problem_id || ':' || s) % 5 as integer)
    ) as folds,
    'bench' as library, md5('run') as run_id,
from (
    select distinct subject.split_key, problem.problem_id
    from intermediate.int_calibration_subject as subject
    inner join raw.problem as problem on subject.release_id = problem.release_id
    where subject.version = 2
);

create temp table fold as
select 1 as version, 42 as fold_seed, k as fold from range(5) as t(k)
union all
select 2 as version, s as fold_seed, k as fold from range(20) as a(s), range(5) as b(k)
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
from intermediate.int_calibration_subject
inner join fold using (version)
inner join (values
    (1, 'platt'), (2, 'platt'), (2, 'temperature'), (2, 'isotonic')
) as t(version, rescaler) using (version)
where n_used > 0;
"""


def fit(path: Path) -> dict[str, int]:
    """Build what curves are fitted to, and put made-up curves beside it."""
    from warehouse.store.connection import writing
    from warehouse.views.build import build

    build(path, select="staging +int_calibration_subject")
    with writing(path) as con:
        con.execute(FITS)
        counted = con.execute(
            """
            select count(*), count(distinct measure), sum(n_used)::bigint
            from intermediate.int_calibration_subject
            where n_used > 0
            """
        ).fetchall()[0]
        n_fits = con.execute("select count(*) from raw.calibration_fit").fetchall()[0][0]
    return dict(zip(("subjects", "measures", "pairs", "fits"), (*counted, n_fits), strict=True))


def measure(path: Path) -> dict[str, Any]:
    """Build all calibration views in this process and time them."""
    from warehouse.store.connection import reading
    from warehouse.views.build import build

    began = time.monotonic()
    report = build(path, select=f"staging {' '.join(f'+{name}' for name in NAMES)}")
    seconds = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with reading(path) as con:
        counts = {
            view: con.execute(f"select count(*) from {view}").fetchall()[0][0]
            for view in report.views
            if view.startswith(NAMES)
        }
    return {
        "build_s": round(seconds, 1),
        "peak_rss_mib": round(peak),
        "views": len(report.views),
        "tests": len(report.tests_passed),
        "rows": counts,
        "warehouse_mib": round(path.stat().st_size / 2**20),
    }


# --- the same work in loops ---------------------------------------------------------------------


def loops(path: Path) -> dict[str, Any]:
    """Do the work of the views for one language model with pandas and scikit-learn, and time it.

    Reading the rows is not timed, nor the parse of what is typed already; the curves are given, as
    they are to the views.
    """
    import duckdb

    with duckdb.connect(str(path), read_only=True) as con:
        frame = con.execute(
            """
            select
                problem.dataset, generation.problem_id, tokens.logprobs, tokens.kept,
                length(text.kept_text) as length, answer.top_logprobs, v1.value as verbalized_v1,
                v2.value as verbalized_v2, outcome.verdict = 'passed' as y,
            from raw.generation as generation
            inner join raw.problem as problem using (problem_id)
            inner join raw.token_logprob as tokens using (generation_id)
            inner join raw.generation_text as text using (generation_id)
            inner join raw.token_logprob as answer
                on answer.generation_id = md5(generation.generation_id || 'ask_tf_v1')
            inner join raw.reflection_reading as v1
                on v1.generation_id = md5(generation.generation_id || 'verbalized_v1')
            inner join raw.reflection_reading as v2
                on v2.generation_id = md5(generation.generation_id || 'verbalized_v2')
            inner join raw.evaluation as evaluation
                on evaluation.generation_id = generation.generation_id
            inner join raw.outcome as outcome using (program_id)
            where generation.lm_id = md5('lm0')
            order by generation.generation_id
            """
        ).df()
        lengths = con.execute("select length(reference) from raw.problem").fetchnumpy()
    references = next(iter(lengths.values()))
    began = time.monotonic()
    rows = 0
    for _, group in frame.groupby("dataset"):
        for version, measured in confidences(group.copy(), references):
            for measure_name, p in measured.items():
                known = p.notna()
                score, right = p[known].to_numpy(), group["y"][known].to_numpy()
                problem = group["problem_id"][known]
                size = problem.groupby(problem).transform("size")
                weight = (1 / size if version == 2 else size * 0 + 1.0).to_numpy()
                rows += len(raw_metrics(version, score, right, weight))
                rows += len(scaled_metrics(version, measure_name, score, right, weight, problem))
    return {"loops_s": round(time.monotonic() - began, 1), "rows": rows, "generations": len(frame)}


def confidences(frame: Any, references: Any) -> list[tuple[int, dict[str, Any]]]:
    """Every confidence of every row, with a function applied to each."""
    import numpy as np

    kept = [
        np.asarray(values)[np.asarray(inside)]
        for values, inside in zip(frame["logprobs"], frame["kept"], strict=True)
    ]
    frame["avg"] = [np.exp(values).mean() for values in kept]
    frame["total"] = [np.exp(values.sum()) for values in kept]
    frame["gm"] = [np.exp(values.mean()) for values in kept]
    frame["least"] = [np.exp(values.min()) for values in kept]
    stopped = {}
    if len(kept[0]) < len(frame["logprobs"].iloc[0]):
        frame["avg_stop"] = [np.exp(np.asarray(values)).mean() for values in frame["logprobs"]]
        frame["total_stop"] = [np.exp(np.asarray(values).sum()) for values in frame["logprobs"]]
        stopped = {
            "avg_prob_incl_stop": frame["avg_stop"],
            "total_prob_incl_stop": frame["total_stop"],
        }
    first, second = [], []
    for text in frame["top_logprobs"]:
        positions = json.loads(text)
        pairs = [(token, np.exp(v)) for position in positions[:2] for token, v in position[:5]]
        t1 = max((v for token, v in pairs if "true" in token.lower()), default=0.0)
        f1 = max((v for token, v in pairs if "false" in token.lower()), default=0.0)
        first.append((t1, t1 / (t1 + f1)))
        t2 = sum(np.exp(v) for token, v in positions[0] if token.strip().lower() == "true")
        f2 = sum(np.exp(v) for token, v in positions[0] if token.strip().lower() == "false")
        second.append((t2, t2 / (t2 + f2)))
    frame["tf1"], frame["ntf1"] = zip(*first, strict=True)
    frame["tf2"], frame["ntf2"] = zip(*second, strict=True)
    low, high = references.min(), references.max()
    frame["len1"] = (1 - (frame["length"] - low) / (high - low)).clip(0, 1)
    frame["len2"] = 1 - frame["length"].rank() / len(frame)
    asked = frame["verbalized_v2"]
    per_problem = frame.groupby("problem_id")["y"].mean()
    return [
        (
            1,
            {
                "avg_prob": frame["avg"],
                "total_prob": frame["total"],
                "verbalized": frame["verbalized_v1"],
                "ask_tf": frame["tf1"],
                "ask_tf_normalized": frame["ntf1"],
                "length": frame["len1"],
            },
        ),
        (
            2,
            {
                "avg_prob": frame["avg"],
                "total_prob": frame["total"],
                "geometric_mean_prob": frame["gm"],
                "min_prob": frame["least"],
                **stopped,
                "verbalized": asked,
                "verbalized_base_rate": asked.fillna(per_problem.mean()),
                "ask_tf": frame["tf2"],
                "ask_tf_normalized": frame["ntf2"],
                "length": frame["len2"],
            },
        ),
    ]


def bins_of(p: Any) -> Any:
    import numpy as np

    return np.digitize(np.round(p, 7), np.arange(1, 10) / 10)


def error_of(p: Any, y: Any, w: Any, place: Any) -> float:
    """Expected calibration error over bins, with a group-by."""
    import numpy as np
    import pandas as pd

    bins = pd.DataFrame({"w": w, "p": w * p, "y": w * y}).groupby(place).sum()
    return float((bins["y"] - bins["p"]).abs().sum() / np.sum(w))


def raw_metrics(version: int, p: Any, y: Any, w: Any) -> dict[str, Any]:
    """The metrics of one group."""
    import numpy as np
    import pandas as pd
    from sklearn.isotonic import IsotonicRegression
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

    place = bins_of(p)
    rate = np.average(y, weights=w)
    found: dict[str, Any] = {
        "base_rate": rate,
        "brier": brier_score_loss(y, p, sample_weight=w),
        "auroc": roc_auc_score(y, p, sample_weight=w),
        "ece": error_of(p, y, w, place),
    }
    found["skill"] = 1 - found["brier"] / (rate * (1 - rate))
    table = pd.DataFrame({"n": 1, "w": w, "p": w * p, "y": w * y, "place": place})
    found["bins"] = table.groupby("place").sum()
    if version == 1:
        return found
    found["log_loss"] = log_loss(y, np.clip(p, 1e-6, 1 - 1e-6), sample_weight=w)
    found["quantile"] = error_of(p, y, w, np.digitize(p, np.percentile(p, range(10, 100, 10))))
    sums = found["bins"]
    mean_p, mean_y, share = sums["p"] / sums["w"], sums["y"] / sums["w"], sums["w"] / w.sum()
    found["rel"] = (share * (mean_p - mean_y) ** 2).sum()
    found["res"] = (share * (mean_y - rate) ** 2).sum()
    at_p, at_y = mean_p.loc[place].to_numpy(), mean_y.loc[place].to_numpy()
    found["wbv"] = np.average((p - at_p) ** 2, weights=w)
    found["wbc"] = np.average((p - at_p) * (y - at_y), weights=w)
    size = table["w"].groupby(place).sum() ** 2 / (table["w"] ** 2).groupby(place).sum()
    found["debiased"] = (
        share * ((mean_p - mean_y) ** 2 - mean_y * (1 - mean_y) / (size - 1))
    ).sum()
    noise = pd.Series(w**2 * p * (1 - p)).groupby(place).sum()
    found["noise"] = np.sqrt(2 / np.pi * noise).sum() / w.sum()
    curve = IsotonicRegression(out_of_bounds="clip").fit_transform(p, y, sample_weight=w)
    found["mcb"] = found["brier"] - brier_score_loss(y, np.clip(curve, 0, 1), sample_weight=w)
    return found


def scaled_metrics(
    version: int, measure_name: str, p: Any, y: Any, w: Any, problem: Any
) -> dict[str, Any]:
    """The metrics of one group after each rescaler, out of fold, for each seed."""
    import numpy as np
    from sklearn.metrics import brier_score_loss

    x = np.clip(p, 1e-6, 1 - 1e-6)
    x = np.log(x / (1 - x))
    rate = np.average(y, weights=w)
    codes = problem.astype("category").cat.codes.to_numpy()
    generator = np.random.default_rng(0)
    steps = np.linspace(0, 1, 50)
    found = {}
    for rescaler in ("platt",) if version == 1 else ("platt", "temperature", "isotonic"):
        metrics = []
        for _ in range(1 if version == 1 else 20):
            if version == 1:
                folds = generator.integers(0, 5, len(p))
            else:
                folds = generator.integers(0, 5, codes.max() + 1)[codes]
            scaled = np.empty(len(p))
            for fold in range(5):
                held = folds == fold
                if rescaler == "isotonic":
                    scaled[held] = np.interp(p[held], steps, steps**1.5)
                else:
                    scaled[held] = 1 / (1 + np.exp(-(x[held] + 0.02 * fold - 0.5)))
            brier = brier_score_loss(y, scaled, sample_weight=w)
            metrics.append(
                (
                    brier,
                    1 - brier / (rate * (1 - rate)),
                    error_of(scaled, y, w, bins_of(scaled)),
                    np.sqrt(np.cov(scaled, aweights=w)),
                )
            )
        found[rescaler] = (np.mean(metrics, axis=0), np.std(metrics, axis=0))
    return found


def main() -> None:
    """Parse, plant, measure each part in a process of its own, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--measures", type=int, choices=[8, 17], default=17)
    parser.add_argument("--keep", type=Path, help="folder for the warehouse, kept afterwards")
    parser.add_argument("--part", choices=["measure", "loops"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.part:
        path = asked.keep / "warehouse.duckdb"
        print(json.dumps(measure(path) if asked.part == "measure" else loops(path)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["ASSAY_HOME"] = str(folder)
        path = folder / "warehouse.duckdb"
        if not path.exists():
            began = time.monotonic()
            plant(path, asked.rows, stop_token=asked.measures == 17)
            print(f"planted in {time.monotonic() - began:.0f} s", file=sys.stderr)
            print(f"curves: {fit(path)}", file=sys.stderr)
        found: dict[str, Any] = {}
        for part in ("measure", "loops"):
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "tests.bench.calibration",
                    f"--part={part}",
                    f"--keep={folder}",
                ],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            )
            found[part] = json.loads(done.stdout)
        found["ratio"] = round(LMS * found["loops"]["loops_s"] / found["measure"]["build_s"], 1)
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
