"""Comparisons of completed lines and of stated probabilities, from a plan in plain Python."""

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.oracles import comparisons as oracles
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.calibration.subjects import CalibrationWorld
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)

N = 24
LINE, AS_TOKENS, OTHER = "    x = f(a)", "x=f( a )  # the same", "    x = f(b)"
SAMPLES = {"sure": 1, "shy": 1, "often": 3, "more_often": 4}
SEEN = (*("comparison", "line_completion", "calibration_raw", "roc"), "int_problem_metric")
Plan = dict[tuple[str, int], list[tuple[bool, str, float]]]
"""By language model and problem, its samples: verdict, text, stated probability."""


def drawn(seed: int) -> Plan:
    rng = random.Random(seed)
    plan = {
        (lm, at): [
            (rng.random() < at / N, rng.choice([LINE, AS_TOKENS, OTHER]), rng.choice([0.1, 0.5, 1]))
            for _ in range(n)
        ]
        for lm, n in SAMPLES.items()
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
    for lm in SAMPLES:
        world.lm(lm, simulated=False)
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
def con(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = tmp_path_factory.mktemp("scores")
    world_of(plan).write(home / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(home))
        build(select=f"path:models/staging {' '.join(f'+{name}' for name in SEEN)}")
        with reading() as con:
            yield con


@pytest.mark.parametrize("metric", ["exact_match", "brier_verbalized"])
def test_comparisons_are_those_of_the_plan(con: Any, plan: Plan, metric: str) -> None:
    rows = rows_of(con, f"select * from comparison_v1 where metric = '{metric}'")
    expected = {}
    lms = sorted(SAMPLES)
    for one, a in enumerate(lms):
        for b in lms[one + 1 :]:
            values = [values_of(plan, lm, metric) for lm in (a, b)]
            place = {str(at): at for at in range(N)}
            expected[a, b] = oracles.compare(*values, place, oracles.signs(N))
    oracles.correct(expected, lambda key: metric)
    assert {(row["lm_a"], row["lm_b"]) for row in rows} == expected.keys()
    for row in rows:
        for name, truth in expected[row["lm_a"], row["lm_b"]].items():
            is_equal = same(row[name], truth) if isinstance(truth, float) else row[name] == truth
            assert is_equal, (metric, row["lm_a"], row["lm_b"], name, row[name], truth)
        assert row["k"] == 1
    reasons = {row["mcnemar_null_reason"] for row in rows}
    single = None if metric == "exact_match" else "not_binary"
    assert reasons == {"several_samples", single}


def test_means_over_problems_are_what_the_views_publish(con: Any) -> None:
    means = rows_of(
        con,
        "select lm_id, metric, k, avg(value) as value from intermediate.int_problem_metric "
        "inner join intermediate.int_entry_numbered using (entry_no) group by all",
    )
    ours = {(row["lm_id"], row["metric"], row["k"]): row["value"] for row in means}
    published: dict[Any, float] = {}
    for row in rows_of(con, "select * from line_completion_v2"):
        published[row["lm_id"], "exact_match", 1] = row["exact_match"]
        published[row["lm_id"], "pass_at_k", 1] = row["all_pass"]
    raw = "from calibration_raw_v2 where notion = 'all_pass' and measure != 'unskilled'"
    for row in rows_of(con, f"select * {raw} and brier is not null"):
        published[row["lm_id"], f"brier_{row['measure']}", 1] = row["brier"]
    assert ours.keys() == published.keys()
    assert len({metric for _, metric, _ in ours}) >= 4
    for key, value in published.items():
        assert math.isclose(ours[key], value, abs_tol=1e-9), key
