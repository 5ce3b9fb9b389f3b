"""Calibration of completed lines: what is planted under each notion of correctness comes back."""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from tests.support.builds.calibrated import calibrated
from tests.support.sql import rows_of
from tests.support.worlds.calibration.subjects import CalibrationWorld

pytestmark = pytest.mark.long(seconds=60)

EACH = 20
PLANTED = {0.2: (4, 0, 2), 0.5: (10, 6, 8), 0.8: (16, 12, 14)}
"""Of the answers of each stated probability: how many pass, are the line, and have its tokens."""

LINE = "    x = f(a)"
AS_TOKENS = "x=f( a )  # the same"
EXPECTED = {
    ("all_pass", 1): (0.5, 0.0),
    ("all_pass", 2): (0.5, 0.0),
    ("exact_match", 1): (0.3, 0.2),
    ("exact_match", 2): (0.4, 0.1),
}
"""The base rate and the expected calibration error of each notion and version, by hand."""


def planted_world() -> CalibrationWorld:
    """A language model that is right as often as it says by the tests, and less often the line."""
    world = CalibrationWorld()
    setting = next(row for row in world.raw["setting"] if row["setting_id"] == "s1")
    setting["task"] = "line_completion"
    problems = world.problems("small1", "small-lines", EACH * len(PLANTED), [1])
    for row in world.raw["problem"]:
        row |= {"compare": "project", "reference": LINE}
    world.lm("sure")
    answers = [(p, n, counts) for p, counts in PLANTED.items() for n in range(EACH)]
    for problem, (p, n, (n_passed, n_equal, n_tokens)) in zip(problems, answers, strict=True):
        name = world.answer("sure", problem, 0, "passed" if n < n_passed else "failed")
        text = next(row for row in world.raw["generation_text"] if row["generation_id"] == name)
        # the last ones are the line, so that the notions disagree on some
        place = EACH - 1 - n
        if place < n_equal:
            text["kept_text"] = LINE
        elif place < n_tokens:
            text["kept_text"] = AS_TOKENS
        world.states(name, "verbalized_v1", [p])
        world.states(name, "verbalized_v2", [p])
    return world


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with calibrated(planted_world(), tmp_path_factory.mktemp("lines")) as con:
        yield con


@pytest.mark.parametrize(("notion", "version"), EXPECTED)
def test_planted_calibration_comes_back(
    views: duckdb.DuckDBPyConnection, notion: str, version: int
) -> None:
    row = stated(views, f"calibration_raw_v{version}", notion)
    assert row["dataset"] == "small-lines"
    assert (row["n_total"], row["n_used"]) == (60, 60)
    base_rate, ece = EXPECTED[notion, version]
    assert row["base_rate"] == pytest.approx(base_rate)
    assert row["ece"] == pytest.approx(ece, abs=1e-9)
    spread = sum(p * (1 - p) for p in PLANTED) / len(PLANTED)
    if notion == "all_pass":
        assert row["brier"] == pytest.approx(spread)
    else:
        rates = [counts[version] / EACH for counts in PLANTED.values()]
        pairs = list(zip(PLANTED, rates, strict=True))
        expected = sum(r * (1 - p) ** 2 + (1 - r) * p**2 for p, r in pairs) / len(pairs)
        assert row["brier"] == pytest.approx(expected)


@pytest.mark.parametrize("version", [1, 2])
def test_rescaled_confidence_has_both_notions(
    views: duckdb.DuckDBPyConnection, version: int
) -> None:
    for notion in ("all_pass", "exact_match"):
        row = stated(views, f"calibration_scaled_v{version}", notion, rescaler="platt")
        assert row["n_used"] == 60
        assert row["brier"] < 0.25


def test_both_notions_side_by_side(views: duckdb.DuckDBPyConnection) -> None:
    (row,) = rows_of(
        views,
        "select * from calibration_by_correctness_v1 "
        "where measure = 'verbalized' and rescaler = 'none'",
    )
    assert row["ece_difference"] == pytest.approx(-0.2)
    table = {"n_pass_and_match": 0, "n_pass_only": 0, "n_match_only": 0, "n_neither": 0}
    for n_passed, n_equal, _ in PLANTED.values():
        both = max(0, n_passed + n_equal - EACH)
        table["n_pass_and_match"] += both
        table["n_pass_only"] += n_passed - both
        table["n_match_only"] += n_equal - both
        table["n_neither"] += EACH - n_passed - n_equal + both
    assert {name: row[name] for name in table} == table
    assert row["n_both_labels"] == 60


def stated(con: duckdb.DuckDBPyConnection, view: str, notion: str, **where: str) -> dict[str, Any]:
    more = "".join(f" and {name} = '{value}'" for name, value in where.items())
    query = f"select * from {view} where measure = 'verbalized' and notion = '{notion}'{more}"
    (row,) = rows_of(con, query)
    return row
