"""The calibration views on planted rows, from raw rows to numbers: the reference's goldens."""

import math
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from tests.support.builds.calibrated import calibrated
from tests.support.oracles import calibration as oracle
from tests.support.oracles import calibration_curves as curve_oracle
from tests.support.oracles import confidence as confidence_oracle
from tests.support.oracles.calibration_goldens import (
    DEBIASED,
    GOLDEN_A,
    GOLDEN_B,
    TRUE_OR_FALSE,
    near,
)
from tests.support.oracles.statistics.intervals import of_mean
from tests.support.sql import macro, rows_of
from tests.support.steps import build, calibrate
from tests.support.worlds.calibration.subjects import CalibrationWorld
from warehouse.settings import warehouse_path
from warehouse.store.connection import reading, writing

pytestmark = pytest.mark.long(seconds=40)

SETS = {"golden_a": GOLDEN_A, "golden_b": GOLDEN_B, "debiased": DEBIASED}
NO_SKILL = {"brier": 0.24, "skill_score": 0.0, "ece": 0.0, "auroc": 0.5}


def golden_world() -> CalibrationWorld:
    """Each golden data set as probabilities a language model states; a last one has the tokens."""
    world = CalibrationWorld()
    problems = world.problems("toy1", "toy", 20, [20, 80])
    for lm, pairs in SETS.items():
        world.lm(lm)
        for problem, pair in zip(problems, pairs, strict=False):
            name = world.answer(lm, problem, 0, "passed" if pair.y else "failed")
            world.states(name, "verbalized_v1", [pair.p])
            world.states(name, "verbalized_v2", [None, pair.p])
    world.lm("tokens")
    kept = [True, True, True, False]
    first = world.answer(
        "tokens", problems[0], 0, "passed",
        logprobs=[-0.1, -0.2, -1.0, -0.5], kept=kept, length=10,
    )  # fmt: skip
    world.says_true_or_false(first, [TRUE_OR_FALSE])
    world.states(first, "verbalized_v1", [None] * 4)
    world.states(first, "verbalized_v2", [None] * 4)
    second = world.answer("tokens", problems[1], 0, "failed", logprobs=[5e-5, -9999.0], length=40)
    world.says_true_or_false(second, [[("x", -1.0)], [("false", -0.5)]])
    world.states(second, "verbalized_v1", [None] * 3)
    third = world.answer("tokens", problems[2], 0, "failed", logprobs=[-0.1, None], length=100)
    world.says_true_or_false(third, None)
    fourth = world.answer("tokens", problems[3], 0, None, logprobs=[-1.0], kept=[False], length=40)
    world.says_true_or_false(fourth, [[("maybe", -0.2), ("TrueFalse", -2.0)]])
    world.lm("equal")
    for place in range(10):
        world.answer(
            "equal", problems[place], 0, "passed" if place % 3 else "failed",
            logprobs=[-0.3] * (3 + 7 * place), length=10,
        )  # fmt: skip
    world.lm("alike")
    for problem in problems[:10]:
        for place in range(5):
            name = world.answer("alike", problem, place, "failed" if place else "passed")
            world.states(name, "verbalized_v2", [None, 0.5])
    world.lm("gaps")
    world.answer(
        "gaps", problems[0], 0, "passed", logprobs=[-0.5, -0.1, -9.0, -0.3, -0.7],
        kept=[False, True, False, True, False], length=10,
    )  # fmt: skip
    return world


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with calibrated(golden_world(), tmp_path_factory.mktemp("goldens")) as con:
        yield con


def row(con: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    rows = rows_of(con, sql)
    assert len(rows) == 1, sql
    return rows[0]


def one(con: duckdb.DuckDBPyConnection, view: str, lm: str, **where: str) -> dict[str, Any]:
    conditions = "".join(f" and {name} = '{value}'" for name, value in where.items())
    return row(con, f"select * from {view} where lm = '{lm}'{conditions}")


def holds(found: dict[str, Any], **expected: Any) -> None:
    assert {name: found[name] for name in expected} == expected


def test_golden_confidence(views: duckdb.DuckDBPyConnection) -> None:
    first = one(views, "confidence_v2", "tokens", task_id="toy/0")
    holds(
        first, avg_prob=near(0.697149), total_prob=near(0.272532),
        geometric_mean_prob=near(0.648344), min_prob=near(0.367879), n_tokens_kept=3,
        avg_prob_incl_stop=near((3 * 0.697149 + math.exp(-0.5)) / 4),
        log_total_prob_incl_stop=near(-1.8), ask_tf=near(0.894469),
        ask_tf_normalized=near(0.915944), verbalized=None, verbalized_null_reason="parse_fail",
        verbalized_calls=4,
    )  # fmt: skip
    residual = 1 - sum(math.exp(logprob) for _, logprob in TRUE_OR_FALSE)
    holds(first, ask_tf_residual=near(residual), ask_tf_highest=near(0.894469 + residual))
    first = one(views, "confidence_v1", "tokens", task_id="toy/0")
    holds(
        first, ask_tf=near(0.740818), ask_tf_normalized=near(0.900250), verbalized=0.5,
        verbalized_fallback=True, verbalized_null_reason=None, length=1.0,
        length_range_source="references",
    )  # fmt: skip


def test_confidence_at_the_edges(views: duckdb.DuckDBPyConnection) -> None:
    second = one(views, "confidence_v1", "tokens", task_id="toy/1")
    holds(
        second, avg_prob=0.5, total_prob=0.0, log_total_prob=-9999.0, sentinel=True, ask_tf=0.0,
        ask_tf_normalized=0.0, verbalized=None, verbalized_null_reason="not_asked",
        verbalized_calls=3, length=near(0.666667),
    )  # fmt: skip
    second = one(views, "confidence_v2", "tokens", task_id="toy/1")
    holds(second, ask_tf_null_reason="parse_fail", avg_prob_incl_stop_null_reason="not_applicable")
    third = one(views, "confidence_v1", "tokens", task_id="toy/2")
    holds(
        third, avg_prob=None, avg_prob_null_reason="missing_logprobs",
        ask_tf_null_reason="missing_logprobs", verbalized_null_reason="not_asked", length=0.0,
    )  # fmt: skip
    fourth = one(views, "confidence_v2", "tokens", task_id="toy/3")
    holds(fourth, avg_prob_null_reason="empty", ask_tf=None, ask_tf_null_reason="parse_fail")
    lengths = views.execute(
        "select length from confidence_v2 where lm = 'tokens' order by task_id"
    ).fetchall()
    assert [value for (value,) in lengths] == confidence_oracle.length_v2([10, 40, 100, 40])


def test_kept_tokens_need_not_be_the_first_nor_side_by_side(
    views: duckdb.DuckDBPyConnection,
) -> None:
    holds(
        one(views, "confidence_v2", "gaps"), n_tokens_kept=2,
        avg_prob=near((math.exp(-0.1) + math.exp(-0.3)) / 2), log_total_prob=near(-0.4),
        min_prob=near(math.exp(-0.3)), log_total_prob_incl_stop=near(-1.1),
    )  # fmt: skip


def test_golden_raw(views: duckdb.DuckDBPyConnection) -> None:
    for version in (1, 2):
        view = f"calibration_raw_v{version}"
        holds(
            one(views, view, "golden_a", measure="verbalized"), ece=near(0.295),
            brier=near(0.16925), brier_reference=near(0.24), skill_score=near(0.294792),
            auroc=near(0.875), n_used=10, n_bins=8, low_n=True, few_clusters=True,
        )  # fmt: skip
        holds(
            one(views, view, "golden_b", measure="verbalized"), brier=near(0.178530),
            skill_score=near(0.278667), ece=near(0.162), auroc=near(0.808081),
            few_clusters=False,
        )  # fmt: skip
        holds(one(views, view, "golden_a", measure="unskilled"), **NO_SKILL, n_used=10)
        empty = one(views, view, "golden_a", measure="avg_prob")
        holds(empty, n_used=0, brier=None, null_reason="empty", n_null_missing_logprobs=10)


def test_golden_a_taken_apart(views: duckdb.DuckDBPyConnection) -> None:
    holds(
        one(views, "calibration_raw_v2", "golden_a", measure="verbalized"),
        murphy_reliability=near(0.123625), murphy_resolution=near(0.19),
        murphy_uncertainty=near(0.24), murphy_within_variance=near(0.000625),
        murphy_within_covariance=near(0.0025), corp_miscalibration=near(0.06925),
        corp_discrimination=near(0.14), corp_uncertainty=near(0.24), smooth_ece=near(0.116953),
        smooth_ece_width=near(0.118164), ece_debiased_l1=None,
        calibration_error_square=near(-0.021375), ece_debiased_l2=0.0,
        log_loss=near(oracle.log_loss(GOLDEN_A)),
        ece_quantile=near(oracle.quantile_ece(GOLDEN_A)),
    )  # fmt: skip
    holds(
        one(views, "calibration_raw_v2", "debiased", measure="verbalized"),
        ece=near(0.6), calibration_error_square=near(0.2975), ece_debiased_l2=near(0.545436),
    )  # fmt: skip


def test_equal_scores_of_texts_of_any_length_are_tied(views: duckdb.DuckDBPyConnection) -> None:
    for view in ("calibration_raw_v1", "calibration_raw_v2"):
        equal = one(views, view, "equal", measure="avg_prob")
        holds(equal, n_used=10, auroc=0.5, mean_score=near(math.exp(-0.3)))
    scores = "select distinct p from calibration_pairs_v1 inner join calibration_subjects_v1"
    where = "using (subject_no) where lm = 'equal' and measure = 'avg_prob'"
    assert len(rows_of(views, f"{scores} {where}")) == 1


def test_what_differs_from_the_paper_is_said(views: duckdb.DuckDBPyConnection) -> None:
    for view in ("calibration_raw_v1", "calibration_scaled_v1"):
        distinct = f"select distinct measure, paper_departures from {view} where lm != 'alike'"
        found = rows_of(views, distinct)
        assert len(found) == 7
        for each in found:
            top_5 = ", top_5" if each["measure"].startswith("ask_tf") else ""
            assert each["paper_departures"] == f"temperature, kept_rule{top_5}"


def test_golden_bins(views: duckdb.DuckDBPyConnection) -> None:
    where = "lm = 'golden_a' and measure = 'verbalized' and rescaler = 'none'"
    bins = views.execute(
        "select bin, n, mean_p, frac_correct, bar_centre, bar_height, wilson_lo, "
        "interval_null_reason "
        f"from reliability_bins_v1 where {where} order by bin"
    ).fetchall()
    assert [each[:4] for each in bins if each[1]] == [
        (0, 1, near(0.05), 0), (1, 2, near(0.125), 0.5), (3, 1, near(0.35), 0),
        (4, 1, near(0.40), 1), (5, 1, near(0.55), 0), (6, 1, near(0.65), 1),
        (8, 1, near(0.80), 1), (9, 2, near(0.95), 1),
    ]  # fmt: skip
    assert bins[1][4:] == (near(0.15), 0.5, None, "problems_lt_min")
    assert bins[2][1:] == (0, None, None, near(0.25), 0.0, None, None)
    fifths = views.execute(
        "select n, mean_p, frac_correct from reliability_bins_v2 "
        f"where {where} and kind = 'equal_mass' order by bin"
    ).fetchall()
    means = (0.075, 0.25, 0.475, 0.725, 0.95)
    assert fifths == [(2, near(p), y) for p, y in zip(means, (0, 0.5, 0.5, 1, 1), strict=True)]


def test_a_bin_of_problems_that_agree_is_as_wide_as_other_shares(
    views: duckdb.DuckDBPyConnection,
) -> None:
    """Ten problems, each with one right answer of five: rounding of sums is no spread."""
    bins = views.execute(
        "select frac_correct, wilson_lo, wilson_hi from reliability_bins_v2 where lm = 'alike' "
        "and measure = 'verbalized' and rescaler = 'none' and kind = 'equal_width' and n > 0"
    ).fetchall()
    (low, high), _ = of_mean([0.2] * 10, "share")
    assert bins == [(near(0.2), near(low), near(high))]


def test_golden_b_rescaled(views: duckdb.DuckDBPyConnection) -> None:
    found = one(views, "calibration_scaled_v1", "golden_b", measure="verbalized")
    within = {"brier": 0.253795, "skill_score": -0.025434, "ece": 0.152740}
    holds(found, **{name: pytest.approx(value, abs=1e-3) for name, value in within.items()})
    holds(found, auroc=near(0.808081), ece_reported=None, null_reason=None)
    holds(one(views, "calibration_scaled_v1", "golden_a", measure="unskilled"), **NO_SKILL)
    few = one(views, "calibration_scaled_v1", "tokens", measure="avg_prob")
    holds(few, brier=None, null_reason="n_lt_min", n_used=2)


def test_golden_a_in_sample(views: duckdb.DuckDBPyConnection) -> None:
    where = {"measure": "verbalized"}
    platt = one(views, "calibration_scaled_v2", "golden_a", rescaler="platt", **where)
    holds(platt, slope=near(0.250547), intercept=near(0.300823), n_seeds=2, null_reason=None)
    temperature = one(views, "calibration_scaled_v2", "golden_a", rescaler="temperature", **where)
    holds(temperature, slope=near(0.794129), temperature=near(1.259241))
    isotonic = one(views, "calibration_scaled_v2", "golden_a", rescaler="isotonic", **where)
    holds(isotonic, brier=None, null_reason="n_lt_min", slope=None)


def test_stale_curves_are_not_read(home: Any) -> None:
    golden_world().write(warehouse_path())
    calibrate(seeds=1, replicates=40, workers=1, progress=False)
    with writing() as con:  # one more answer with a label: all of golden_a's keys change
        con.execute(
            "update raw.reflection_reading set value = 0.06 where value = 0.05 "
            "and reader = 'verbalized_v1'"
        )
    build(force=True)
    with reading() as con:
        stale = one(con, "calibration_scaled_v1", "golden_a", measure="verbalized")
        fresh = one(
            con, "calibration_scaled_v2", "golden_a", measure="verbalized", rescaler="platt"
        )
    holds(stale, brier=None, null_reason="not_fitted", n_used=10)
    holds(fresh, null_reason=None)


@pytest.mark.parametrize("p", [0.0, 0.1, 0.09999996, 0.09999994, 0.3, 0.7, 0.95, 1.0])
def test_bin_formula(p: float) -> None:
    sql = macro("calibration_formulas.sql", "calibration_bin('p')")
    found = duckdb.sql(f"select {sql} from (select {p}::double as p)").fetchall()[0][0]
    (place,) = oracle.equal_width(oracle.pairs_of([p], [1]))
    assert found == place


@pytest.mark.parametrize("p", [0.0, 1e-7, 0.02, 0.5, 0.98, 1 - 1e-9, 1.0])
def test_logit_formulas(p: float) -> None:
    sql = macro("calibration_formulas.sql", "logit_clipped('p')")
    found = duckdb.sql(f"select {sql} from (select {p}::double as p)").fetchall()[0][0]
    assert found == pytest.approx(curve_oracle.logit_v1(p), abs=1e-9)
    for log_p in (-9999.0, -50.0, -1.0, -1e-7, 0.0):
        sql = macro("calibration_formulas.sql", "logit_of_log('l')")
        found = duckdb.sql(f"select {sql} from (select {log_p}::double as l)").fetchall()[0][0]
        assert found == pytest.approx(curve_oracle.logit_v2(math.exp(log_p), log_p), abs=1e-9)


def test_sigmoid_formula() -> None:
    sql = macro("calibration_formulas.sql", "sigmoid('z')")
    for z in (-1e4, -50.0, -0.5, 0.0, 3.0, 1e4):
        found = duckdb.sql(f"select {sql} from (select {z}::double as z)").fetchall()[0][0]
        assert found == pytest.approx(curve_oracle.sigmoid(z), rel=1e-12)
