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


RELEASES = {
    "small1": ("small-lines", True),
    "other1": ("other-lines", True),
    "other2": ("other-lines", True),
    "bench1": ("bench-lines", False),
}
"""The releases of lines, with their dataset, and whether it is of a project."""


def planted_world() -> CalibrationWorld:
    """A language model that is right as often as it says by the tests, and less often the line."""
    world = CalibrationWorld()
    setting = next(row for row in world.raw["setting"] if row["setting_id"] == "s1")
    setting["task"] = "line_completion"
    world.lm("sure")
    for release, (dataset, of_project) in RELEASES.items():
        _answered(world, release, dataset, "project" if of_project else "exact")
        world.add(
            "project_release", release, project_release_id=release, project=dataset,
            version="1.0", license="MIT", sha256="0", source="x", is_curated=False, sources="[]",
            tests="[]", run_id="r0",
        )  # fmt: skip
        for row in world.raw["problem"]:
            if of_project and row["release_id"] == release:
                world.add(
                    "project_problem", row["problem_id"], problem_id=row["problem_id"],
                    project_release_id=release, path="a.py", first_line=1, last_line=1, run_id="r0",
                )  # fmt: skip
    return world


def _answered(world: CalibrationWorld, release: str, dataset: str, compare: str) -> None:
    problems = world.problems(release, dataset, EACH * len(PLANTED), [1])
    for row in world.raw["problem"]:
        if row["release_id"] == release:
            row |= {"compare": compare, "reference": LINE}
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


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with calibrated(planted_world(), tmp_path_factory.mktemp("lines")) as con:
        yield con


@pytest.mark.parametrize(("notion", "version"), EXPECTED)
def test_planted_calibration_comes_back(
    views: duckdb.DuckDBPyConnection, notion: str, version: int
) -> None:
    row = stated(views, f"calibration_raw_v{version}", notion)
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


@pytest.mark.parametrize(("notion", "version"), EXPECTED)
def test_the_lines_of_several_projects_are_one_sample(
    views: duckdb.DuckDBPyConnection, notion: str, version: int
) -> None:
    """The newest release of each project counts; lines of benchmarks do not."""
    view = f"calibration_raw_v{version}"
    row = stated(views, view, notion, dataset="*-lines")
    assert (row["n_total"], row["n_used"], row["n_clusters"]) == (120, 120, 120)
    assert row["dataset_version"] == "2 datasets"
    base_rate, ece = EXPECTED[notion, version]
    assert row["base_rate"] == pytest.approx(base_rate)
    assert row["ece"] == pytest.approx(ece, abs=1e-9)
    alone = stated(views, view, notion)
    assert row["brier"] == pytest.approx(alone["brier"])
    # twice as many lines say more
    widths = [each["base_rate_hi"] - each["base_rate_lo"] for each in (row, alone)]
    assert widths[0] < 0.75 * widths[1]
    found = views.execute(f"select distinct dataset, release_id from {view}").fetchall()
    assert sorted(dataset for dataset, _ in found) == [
        "*-lines", "bench-lines", "other-lines", "other-lines", "small-lines",
    ]  # fmt: skip


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
        "where measure = 'verbalized' and rescaler = 'none' and dataset = 'small-lines'",
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
    asked = {"dataset": "small-lines", **where}
    more = "".join(f" and {name} = '{value}'" for name, value in asked.items())
    query = f"select * from {view} where measure = 'verbalized' and notion = '{notion}'{more}"
    (row,) = rows_of(con, query)
    return row
