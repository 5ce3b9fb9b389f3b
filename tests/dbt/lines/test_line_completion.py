"""Line completion: a random world beside the oracle, and a golden file of each version."""

from collections import Counter
from typing import Any

import pytest

from tests.support.goldens import check_golden
from tests.support.oracles.projects import lines as oracles
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.lines import BENCHMARK, random_lines
from warehouse.store.connection import reading

pytestmark = pytest.mark.long(seconds=60)

KEYS = ("lm_id", "dataset", "setting_id")
EFFECTS = ("all_pass_docstring_effect", "exact_match_docstring_effect")
OVER = ("lines", "projects")
REASONS = (
    *("not_applicable", "errata", "reference_fails", "not_executed", "harness_fault"),
    "canary_failed",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[int, Any]]:
    world = random_lines(20240202)
    path = world.write(tmp_path_factory.mktemp("lines") / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select="+line_completion +leaderboard +sim_at_k +pass_at_k")
    with reading(path) as con:
        compared = rows_of(
            con, "select dataset from sim_at_k_v1 union select dataset from sim_at_k_v2"
        )
        assert compared == [{"dataset": "functions"}], "lines are not compared with one another"
        on_board = {row["dataset"] for row in rows_of(con, "select dataset from leaderboard")}
        assert any(name.endswith("-lines") for name in on_board), "but have their rows"
        views = {n: rows_of(con, f"select * from line_completion_v{n}") for n in (1, 2)}
    return world, views


@pytest.mark.parametrize("version", [1, 2])
def test_views_agree_with_the_oracle(built: Any, version: int) -> None:
    world, views = built
    ours = {tuple(row[name] for name in KEYS): row for row in views[version]}
    expected = oracles.entries(world.raw, version)
    assert ours.keys() == expected.keys()
    met: Counter[str] = Counter()
    for key, entry in expected.items():
        row = ours[key]
        for measure in (*oracles.SHARES, *EFFECTS):
            assert same(row[measure], oracles.value(entry, version, measure)), (key, measure)
            (low, high), why = oracles.interval(entry, version, measure)
            column = f"{measure}_interval_null_reason"
            column = "interval_null_reason" if measure == "all_pass" else column
            assert row.get(column, why) == why
            assert same(row[f"{measure}_lo"], low), (key, measure)
            assert same(row[f"{measure}_hi"], high), (key, measure)
        _check_counts(row, entry, met)
        assert row["shown"] == oracles.shown(world.raw, key[2])
        for notion in ("all_pass", "exact_match"):
            bare = ours.get((key[0], key[1], row["setting_id_without_docstring"]))
            assert same(row[f"{notion}_without_docstring"], bare[notion] if bare else None)
        partner = oracles.bare_setting(world.raw, key[0], key[2])
        assert row["setting_id_without_docstring"] == partner
        over = "projects" if row["n_datasets"] > 1 else "lines"
        met[f"{row['interval_method']} over {over}"] += 1
        met["effect"] += row["all_pass_docstring_effect_lo"] is not None
    methods = {f"{how} over {over}" for how in (None, "wilson_clustered") for over in OVER}
    assert met.keys() > {*methods, "effect"}
    assert met.keys() > {*REASONS} - {"errata"}


def _check_counts(row: dict[str, Any], entry: oracles.LinesEntry, met: Counter[str]) -> None:
    lines = [line for each in entry.datasets.values() for line in each]
    labels = entry.labels
    assert (row["n_datasets"], row["n_dataset"]) == (len(entry.datasets), len(lines))
    assert (row["n_lines"], row["n_total"]) == (sum(map(bool, lines)), len(labels))
    n_used = sum(any(label.passes is not None for label in line) for line in lines)
    assert row["n_lines_used"] == n_used
    known = [label for label in labels if label.passes is not None]
    assert row["n_all_pass"] == len(known)
    assert row["n_exact_match"] == sum(label.matches is not None for label in labels)
    assert row["n_both_labels"] == sum(label.matches is not None for label in known)
    reasons = Counter(label.reason for label in labels if label.passes is None)
    for reason in REASONS:
        assert row[f"n_null_{reason}"] == reasons[reason]
        met[reason] += reasons[reason]
    met.update(reason for reason in REASONS if reasons[reason])
    first = next((reason for reason in REASONS if reasons[reason]), None)
    assert row["null_reason"] == (None if known else first)
    several = len(entry.datasets) > 1
    clusters = n_used
    if several:
        used = [
            any(label.passes is not None for line in each for label in line)
            for each in entry.datasets.values()
        ]
        clusters = sum(used)
    assert row["few_clusters"] == (clusters < 20)
    assert (row["release_id"] is None) == several


def test_tokens_are_compared_in_version_2_only(built: Any) -> None:
    _, views = built
    first, second = (
        {tuple(row[name] for name in KEYS): row["exact_match"] for row in views[n]} for n in (1, 2)
    )
    known = [key for key, match in first.items() if match is not None]
    assert sum(first[key] < second[key] for key in known) > 5


def test_a_benchmark_has_its_rows_and_no_part_in_those_of_projects(built: Any) -> None:
    _, views = built
    for rows in views.values():
        of_benchmark = [row for row in rows if row["dataset"] == BENCHMARK]
        assert {row["shown"] for row in of_benchmark} == {"function", "function_without_docstring"}
        assert all(row["all_pass"] is not None for row in of_benchmark)
        assert [row for row in rows if not row["over_projects"]] == of_benchmark


def test_only_lines_have_rows(built: Any) -> None:
    _, views = built
    assert all(row["dataset"].endswith("-lines") for n in (1, 2) for row in views[n])


@pytest.mark.parametrize("version", [1, 2])
def test_golden(built: Any, version: int) -> None:
    rows = sorted(built[1][version], key=lambda row: [row[name] for name in KEYS])
    check_golden(f"line_completion_v{version}", rows)
