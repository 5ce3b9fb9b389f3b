"""Comparisons of completed lines and of stated probabilities, from a plan in plain Python."""

import json
import math
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from runners.measuring.calibration.on_demand import resampled as resampled_now
from tests.support.commands import assay, refused
from tests.support.goldens import check_golden
from tests.support.oracles import comparisons as oracles
from tests.support.sql import rows_of, same
from tests.support.steps import build, calibrate, publish
from tests.support.worlds.calibration.subjects import CalibrationWorld
from warehouse.reports.comparison.rows import AskedPair
from warehouse.reports.query import query
from warehouse.store.connection import reading, writing

VIEWS_READ = (
    "+calibration_pairings_v1 +calibration_raw_v2 +compared_entries_v1 "
    "+comparison_v1 +line_completion_v2 +pass_at_k +problem_values_v1"
)

pytestmark = pytest.mark.long(seconds=60)

N, REPLICATES = 24, 300
LINE, AS_TOKENS, OTHER = "    x = f(a)", "x=f( a )  # the same", "    x = f(b)"
SAMPLES = {"sure": 1, "shy": 1, "often": 3, "more_often": 4, "yes_or_no": 1, "yes_or_no_too": 1}
Plan = dict[tuple[str, int], list[tuple[bool, str, float]]]
"""By language model and problem, its samples: verdict, text, stated probability."""


def drawn(seed: int) -> Plan:
    """Draw the samples; dreamt is simulated, so it is a pair with no other."""
    rng = random.Random(seed)
    plan = {
        (lm, at): [
            (
                rng.random() < at / N,
                rng.choice([LINE, AS_TOKENS, OTHER]),
                # whoever says 0 or 1 has scores of 0 and 1, and 1 is the worst
                rng.choice([0.0, 1.0] if "yes" in lm else [0.1, 0.5, 1.0]),
            )
            for _ in range(n)
        ]
        for lm, n in (SAMPLES | {"dreamt": 2}).items()
        for at in range(N)
    }
    del plan["shy", 3], plan["often", 5]
    return plan


def world_of(plan: Plan) -> CalibrationWorld:
    world = CalibrationWorld()
    world.raw["setting"][0]["task"] = "line_completion"
    problems = world.problems("small1", "small-lines", N, [1])
    for row in world.raw["problem"]:
        row |= {"compare": "project", "reference": LINE}
    texts = {}
    for lm in (*SAMPLES, "dreamt"):
        world.lm(lm, simulated=lm == "dreamt")
    for (lm, at), samples in plan.items():
        for index, (passed, text, stated) in enumerate(samples):
            name = world.answer(lm, problems[at], index, "passed" if passed else "failed")
            texts[name] = text
            world.states(name, "verbalized_v2", [stated])
    for row in world.raw["generation_text"]:
        row["kept_text"] = texts.get(row["generation_id"], row["kept_text"])
    return world


def values_of(plan: Plan, lm: str, metric: str) -> oracles.Values:
    """Return the value of each problem, its variance over draws, and its samples."""
    found: oracles.Values = {}
    for (name, at), samples in plan.items():
        if name != lm:
            continue
        scores = [
            float(text != OTHER) if metric == "exact_match" else (stated - passed) ** 2
            for passed, text, stated in samples
        ]
        n, mean = len(scores), sum(scores) / len(scores)
        spread = None
        if n > 1:
            spread = sum((score - mean) ** 2 for score in scores) / (n - 1) / n
        found[str(at)] = (mean, spread, n)
    return found


@pytest.fixture(scope="module")
def plan() -> Plan:
    return drawn(4)


@pytest.fixture(scope="module")
def home(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("scores")
    world_of(plan).write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        calibrate(progress=False, replicates=REPLICATES, workers=1)
        assert calibrate(progress=False, replicates=REPLICATES, workers=1).n_paired == 0
        build(select=VIEWS_READ)
        yield home


@pytest.fixture
def con(home: Path) -> Iterator[Any]:
    with reading() as con:
        yield con


@pytest.mark.parametrize("metric", ["exact_match", "brier_verbalized"])
def test_comparisons_are_those_of_the_plan(con: Any, plan: Plan, metric: str) -> None:
    rows = rows_of(
        con,
        f"select * from comparison_v1 where metric = '{metric}' and pairing = 'language_models'",
    )
    expected = {}
    lms = sorted(SAMPLES)
    for one, a in enumerate(lms):
        for b in lms[one + 1 :]:
            values = [values_of(plan, lm, metric) for lm in (a, b)]
            place = {str(at): at for at in range(N)}
            solved = metric == "exact_match"
            expected[a, b] = oracles.compare(*values, place, oracles.signs(N), solved=solved)
    oracles.correct(expected, lambda key: metric)
    assert {(row["lm_a"], row["lm_b"]) for row in rows} == expected.keys()
    for row in rows:
        for name, truth in expected[row["lm_a"], row["lm_b"]].items():
            is_equal = same(row[name], truth) if isinstance(truth, float) else row[name] == truth
            assert is_equal, (metric, row["lm_a"], row["lm_b"], name, row[name], truth)
        assert row["k"] == 1
    reasons = {row["mcnemar_null_reason"] for row in rows}
    assert reasons == ({"several_samples", None} if metric == "exact_match" else {"not_applicable"})
    if metric == "brier_verbalized":
        (row,) = [r for r in rows if (r["lm_a"], r["lm_b"]) == ("yes_or_no", "yes_or_no_too")]
        assert row["test"] != "mcnemar"
        assert row["n_only_a"] is None


def resampled(plan: Plan, lm: str, common: list[int]) -> dict[str, float]:
    """Return AUROC, ECE and skill score over some problems, each weighing the same."""
    rows = [
        (stated, passed, 1 / len(plan[lm, at]))
        for at in common
        for passed, _, stated in plan[lm, at]
    ]
    p, y, w = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    cell = np.minimum((p * 10).astype(int), 9)
    gaps = [abs((w * (p - y))[cell == at].sum()) for at in range(10)]
    rate, brier = np.average(y, weights=w), np.average((p - y) ** 2, weights=w)
    return {
        "auroc": float(roc_auc_score(y, p, sample_weight=w)),
        "ece": float(sum(gaps) / w.sum()),
        "skill": float(1 - brier / (rate * (1 - rate))),
    }


@pytest.mark.parametrize("metric", ["auroc", "ece", "skill"])
def test_differences_by_resampling_are_over_the_common_problems(
    con: Any, plan: Plan, metric: str
) -> None:
    rows = rows_of(
        con,
        f"select * from comparison_v1 where metric = '{metric}_verbalized' "
        "and pairing = 'language_models'",
    )
    assert len(rows) == math.comb(len(SAMPLES), 2)
    for row in rows:
        lms = row["lm_a"], row["lm_b"]
        common = [at for at in range(N) if all((lm, at) in plan for lm in lms)]
        truth = [resampled(plan, lm, common)[metric] for lm in lms]
        assert same(row["value_a"], truth[0])
        assert same(row["value_b"], truth[1])
        assert same(row["difference"], truth[0] - truth[1])
        assert row["n_common"] == len(common)
        sizes = [sum((lm, at) in plan for at in range(N)) for lm in lms]
        dropped = [size - len(common) for size in sizes]
        assert [row["n_dropped_a"], row["n_dropped_b"]] == dropped
        assert row["difference_lo"] < row["difference"] < row["difference_hi"]
        test = "interval" if metric.startswith("ece") else "bootstrap"
        assert (row["test"], row["null_reason"], row["equivalent"]) == (test, None, None)
        assert 0 < row["p_value"] <= row["holm_p"] <= 1
        assert row["n_family"] == len(rows)
    assert {row["n_dropped_a"] for row in rows} == {0, 1}


SHOWN = ("--metric", "auroc", "--replicates", str(REPLICATES), "--json")


def test_any_two_entries_are_resampled_over_their_common_problems(home: Path, plan: Plan) -> None:
    done = assay("compare", "dreamt", "shy", *SHOWN, "--warehouse")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert {row["metric"] for row in rows} >= {"auroc_verbalized", "auroc_exact_match_verbalized"}
    (row,) = [row for row in rows if row["metric"] == "auroc_verbalized"]
    common = [at for at in range(N) if ("shy", at) in plan]
    truth = [resampled(plan, lm, common)["auroc"] for lm in ("dreamt", "shy")]
    assert same(row["difference"], truth[0] - truth[1])
    assert (row["n_common"], row["n_dropped_a"], row["n_dropped_b"]) == (N - 1, 1, 0)
    assert row["difference_lo"] < row["difference"] < row["difference_hi"]
    assert (row["pairing"], row["test"], row["n_family"]) == ("asked", "bootstrap", 1)
    assert row["p_value"] == row["holm_p"]
    check_golden("resampled_v1", rows)


@pytest.mark.parametrize("metric", ["brier_verbalized", "ece_verbalized", "skill_verbalized"])
def test_any_two_entries_are_compared_by_each_score(home: Path, plan: Plan, metric: str) -> None:
    few = ("--json", "--warehouse", *(() if metric.startswith("brier") else ("--replicates", "50")))
    (row,) = json.loads(assay("compare", "dreamt", "shy", "--metric", metric, *few).stdout)
    common = [at for at in range(N) if ("shy", at) in plan]
    for side, lm in (("a", "dreamt"), ("b", "shy")):
        if metric.startswith("brier"):
            values = values_of(plan, lm, metric)
            truth = sum(values[str(at)][0] for at in common) / len(common)
        else:
            truth = resampled(plan, lm, common)[metric.partition("_")[0]]
        assert same(row[f"value_{side}"], truth)
    assert (row["pairing"], row["n_common"]) == ("asked", N - 1)
    assert row["difference_lo"] < row["difference"] < row["difference_hi"]
    assert 0 < row["p_value"] <= 1


def test_a_pair_of_a_family_resampled_now_is_the_one_stored(con: Any) -> None:
    ends = {"lm_id": "often", "other_lm_id": "sure", "settings": [("s1", "s1")]}
    rows = con.execute(query("comparison/resampled/subjects", **ends)).fetchall()
    pairs = [AskedPair(*row) for row in rows]
    subjects = sorted({no for pair in pairs for no in (pair.subject_no_a, pair.subject_no_b)})
    answers = con.execute(query("comparison/resampled/answers", subjects=subjects)).to_arrow_table()
    found = resampled_now(pairs, answers, replicates=REPLICATES)
    of_family = {"pairing", "holm_p", "bh_p", "n_family"}
    made = rows_of(con, query("comparison/resampled/differences", differences=found))
    stored = {
        row["metric"]: row
        for row in rows_of(
            con, "select * from comparison_v1 where test in ('bootstrap', 'interval')"
        )
        if (row["lm_a"], row["lm_b"], row["pairing"]) == ("often", "sure", "language_models")
    }
    assert {row["metric"] for row in made if row["test"]} == stored.keys()
    for row in (row for row in made if row["test"]):
        for name in row.keys() - of_family:
            ours, truth = row[name], stored[row["metric"]][name]
            is_equal = same(ours, truth) if isinstance(truth, float) else ours == truth
            assert is_equal, (row["metric"], name)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--metric", "auroc"], "comparison_v1 has this pair, with the replicates of `assay cal"),
        (["--metric", "brier"], "goes with --metric auroc, ece or skill: nothing else resamples"),
        ([], "goes with --metric auroc, ece or skill"),
        (["--claimed"], "claims have none: leave it out with --claimed"),
    ],
)
def test_replicates_are_refused_where_nothing_is_resampled(
    home: Path, options: list[str], reason: str
) -> None:
    line = refused("compare", "often", "sure", *options, *SHOWN[2:], "--warehouse", code=3)
    assert line.startswith(f"error: Invalid value for '--replicates': {reason}")


def test_pairs_that_an_older_method_compared_are_compared_again(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(shutil.copytree(home, tmp_path / "home")))
    found = "select * from comparison_v1 where test in ('bootstrap', 'interval') order by all"
    with writing() as con:
        expected = con.execute(found).fetchall()
        con.execute(
            "update raw.estimate set estimate_id = 'o' || estimate_id, method = 'old', value = 9 "
            "where subject_key in (select pair_key from calibration_pairings_v1)"
        )
    made = calibrate(progress=False, replicates=REPLICATES, workers=1)
    assert (made.n_paired > 0, made.n_subjects) == (True, 0)
    build(select=VIEWS_READ)
    with reading() as con:
        assert con.execute(found).fetchall() == expected


def test_a_snapshot_says_that_it_leaves_single_answers_out(home: Path) -> None:
    publish()
    said = refused("compare", "dreamt", "shy", *SHOWN, code=3)
    assert said.endswith("which a snapshot leaves out: add --warehouse")


def test_pairings_are_those_of_two_entries_by_notion_and_measure(con: Any, plan: Plan) -> None:
    rows = rows_of(con, "select * from calibration_pairings_v1")
    measures = {"verbalized", "verbalized_base_rate", "length"}
    lms = sorted(SAMPLES)
    assert {(row["lm_a"], row["lm_b"], row["notion"], row["measure"]) for row in rows} == {
        (a, b, notion, measure)
        for at, a in enumerate(lms)
        for b in lms[at + 1 :]
        for notion in ("all_pass", "exact_match")
        for measure in measures
    }
    for row in rows:
        for side in "ab":
            asked = [n for (lm, _), n in plan.items() if lm == row[f"lm_{side}"]]
            assert row[f"n_clusters_{side}"] == len(asked)
            assert row[f"n_used_{side}"] == sum(map(len, asked))


def test_golden_file_of_pairings(con: Any) -> None:
    """The hash of both inputs is DuckDB's own, and left out."""
    sql = "select * exclude (pair_input_key) from calibration_pairings_v1 order by all"
    check_golden("calibration_pairings_v1", rows_of(con, sql))


def test_means_over_problems_are_what_the_views_publish(con: Any) -> None:
    means = rows_of(
        con,
        "select lm_id, metric, k, avg(value) as value from problem_values_v1 "
        "inner join compared_entries_v1 using (entry_no) group by all",
    )
    ours = {(row["lm_id"], row["metric"], row["k"]): row["value"] for row in means}
    published: dict[Any, float] = {}
    for row in rows_of(con, "select * from line_completion_v2"):
        published[row["lm_id"], "exact_match", 1] = row["exact_match"]
        published[row["lm_id"], "pass_at_k", 1] = row["all_pass"]
    raw = "from calibration_raw_v2 where dataset != '*-lines' and measure != 'unskilled'"
    for row in rows_of(con, f"select * {raw} and brier is not null"):
        notion = "" if row["notion"] == "all_pass" else f"{row['notion']}_"
        published[row["lm_id"], f"brier_{notion}{row['measure']}", 1] = row["brier"]
    assert ours.keys() == published.keys()
    assert len({metric for _, metric, _ in ours}) >= 4
    for key, value in published.items():
        assert math.isclose(ours[key], value, abs_tol=1e-9), key
