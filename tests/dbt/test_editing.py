"""Editing round trips: a random world beside the oracle, and a golden file of each version."""

from collections import Counter
from typing import Any

import pytest

from tests.support.goldens import check_golden
from tests.support.oracles import execution as oracles
from tests.support.oracles import round_trips as trip_oracles
from tests.support.oracles.statistics.intervals import of_mean
from tests.support.sql import rows_of, same
from tests.support.steps import build
from tests.support.worlds.edits import random_edits
from warehouse.store.connection import reading

VIEWS_READ = "+edit_companions_v1 +round_trips +rtc_editing +rtc_synthesis"

pytestmark = pytest.mark.long(seconds=30)

VIEWS = ("rtc_editing_v1", "rtc_editing_v2", "rtc_synthesis_v2", "edit_companions_v1")
MEASURES = ("rtc", "baseline", "lift", "at_k", "leak_rate")
REASONS = ("errata", "samples_missing", "not_generated")
INTERVAL_REASONS = {"rtc": "interval_null_reason", "lift": "lift_interval_null_reason"}
KEYS = ("lm_id", "setting_id", "forward_lm_id", "forward_setting_id", "dataset")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, Any]]:
    world = random_edits(20240214)
    path = world.write(tmp_path_factory.mktemp("edits") / "warehouse.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_HOME", str(path.parent))
        build(path, select=VIEWS_READ)
    with reading(path) as con:
        views = {view: rows_of(con, f"select * from {view}") for view in VIEWS}
        views["round_trips"] = rows_of(con, "select * from round_trips_v1")
    return world, views


@pytest.mark.parametrize("version", [1, 2])
def test_views_agree_with_the_oracle(built: Any, version: int) -> None:
    world, views = built
    rows = views[f"rtc_editing_v{version}"]
    ours = {tuple(row[name] for name in KEYS): row for row in rows}
    entries = trip_oracles.trips(world.raw, version, "exact_match", trip_oracles.EDITING)
    assert ours.keys() == entries.keys()
    assert len(ours) > 10
    reasons: Counter[str] = Counter()
    unbounded: Counter[str | None] = Counter()
    for key, problems in entries.items():
        row = ours[key]
        release = [p for p in world.raw["problem"] if p["release_id"] == row["release_id"]]
        places = {p["problem_id"]: p["position"] for p in release}
        values: dict[str, list[float | None]] = {name: [None] * len(release) for name in MEASURES}
        told: Counter[str] = Counter()
        for problem, trip in problems.items():
            found, reason = trip_oracles.measures(world.raw, problem, trip, version, "exact_match")
            told[str(reason)] += reason is not None
            for name in MEASURES:
                values[name][places[problem]] = found[name]
        assert (row["n_total"], row["n_dataset"]) == (len(problems), len(release))
        for reason in REASONS:
            assert row[f"n_null_{reason}"] == told[reason], (key, reason)
        assert row["n_descriptions_empty"] == sum(trip.n_empty for trip in problems.values())
        for name in MEASURES:
            assert same(row[name], oracles.mean(values[name])), (key, name)
            kind = "difference" if name == "lift" else "share"
            (low, high), why = of_mean(values[name], kind)
            assert same(row[f"{name}_lo"], low), (key, name)
            assert same(row[f"{name}_hi"], high), (key, name)
            if name in INTERVAL_REASONS:
                assert row[INTERVAL_REASONS[name]] == why
                unbounded[why] += row[name] is not None
        reasons += told
    assert reasons.keys() == {*REASONS[version:]}


def test_white_space_counts_in_version_1_only(built: Any) -> None:
    _, views = built
    first, second = (
        {tuple(row[name] for name in KEYS): row["rtc"] for row in views[f"rtc_editing_v{n}"]}
        for n in (1, 2)
    )
    assert any(first[key] is not None and first[key] < second[key] for key in first)


def test_edits_and_functions_stay_apart(built: Any) -> None:
    world, views = built
    tasks = {row["setting_id"]: row["task"] for row in world.raw["setting"]}
    assert {tasks[row["setting_id"]] for row in views["rtc_editing_v2"]} == {"edit"}
    assert {tasks[row["setting_id"]] for row in views["rtc_synthesis_v2"]} == {"resynthesis"}
    assert {tasks[row["setting_id"]] for row in views["round_trips"]} == {"resynthesis"}


@pytest.mark.parametrize(("similarity", "version"), [("exact_match", 1), ("exact_match_spaced", 2)])
def test_edits_from_comments_agree_with_the_oracle(
    built: Any, similarity: str, version: int
) -> None:
    world, views = built
    ours = {
        (row["lm_id"], row["setting_id"], row["dataset"]): row
        for row in views["edit_companions_v1"]
        if row["similarity"] == similarity
    }
    assert {row["companion"] for row in ours.values()} == {"nl_to_edit"}
    expected = trip_oracles.from_comments(world.raw, version)
    assert ours.keys() == expected.keys()
    commented = {r["problem_id"] for r in world.raw["variant"] if r["kind"] == "comment"}
    missing = 0
    for key, values in expected.items():
        row = ours[key]
        release = [p for p in world.raw["problem"] if p["release_id"] == row["release_id"]]
        used = sum(value is not None for value in values)
        n_total = sum(p["problem_id"] in commented for p in release)
        missing += n_total - used
        assert (row["n_total"], row["n_used"]) == (n_total, used)
        assert row["n_null_not_generated"] == n_total - used
        assert same(row["value"], oracles.mean(values))
        (low, high), why = of_mean(values, "share")
        assert same(row["value_lo"], low)
        assert same(row["value_hi"], high)
        assert row["interval_null_reason"] == why
        if not n_total:
            assert row["null_reason"] == "not_applicable"
    assert missing > 0
    assert {row["dataset"] for row in ours.values()} == {"edits", "bare"}


def test_descriptions_beside_comments_agree_with_the_oracle(built: Any) -> None:
    world, views = built
    ours = {
        (row["lm_id"], row["setting_id"], row["dataset"]): row
        for row in views["edit_companions_v1"]
        if row["companion"] == "edit_to_nl"
    }
    expected = trip_oracles.to_comments(world.raw)
    assert ours.keys() == expected.keys()
    met: Counter[str] = Counter()
    for key, found in expected.items():
        row = ours[key]
        reasons = Counter(each for each in found if isinstance(each, str))
        values = [each if isinstance(each, float) else None for each in found]
        assert row["similarity"] == "bleu"
        assert row["n_total"] == sum(each is not None for each in found)
        for reason in ("not_generated", "not_measured", "not_applicable"):
            assert row[f"n_null_{reason}"] == reasons[reason], (key, reason)
        assert same(row["value"], oracles.mean(values)), key
        (low, high), why = of_mean(values, "share")
        assert same(row["value_lo"], low)
        assert same(row["value_hi"], high)
        assert row["interval_null_reason"] == why
        assert (row["null_reason"] is None) == (row["n_used"] > 0)
        met += reasons
    assert met.keys() == {"not_generated", "not_measured", "not_applicable"}
    assert {row["dataset"] for row in ours.values()} == {"edits", "bare"}


@pytest.mark.parametrize("view", ["rtc_editing_v1", "rtc_editing_v2", "edit_companions_v1"])
def test_golden(built: Any, view: str) -> None:
    keys = (*KEYS, "companion", "similarity")
    rows = sorted(built[1][view], key=lambda row: [str(row.get(name)) for name in keys])
    check_golden(view, rows)
